// SPDX-License-Identifier: MIT
// Which issuers an authority of Microsoft's kinds may have, and of which tenant its ID tokens may be.

import TesseraWire

extension Authority {
  /// Whether an issuer has the path that issuers of this kind have; whether its host is right is another question.
  ///
  /// Entra and external tenants: `/ID/v2.0`, where `{tenantid}` may stand for the id, or `/ID/` (version 1). B2C: the
  /// same, or `/tfp/ID/POLICY/v2.0/`. ADFS: `/adfs`. (The documents that these servers publish.)
  func mayHaveIssuer(_ issuer: String) -> Bool {
    // A plain issuer may have no path at all.
    if case .openID(let own) = kind { return issuer == own }
    guard let names = Authority.names(in: issuer), let first = names.first else { return false }
    switch kind {
    case .entra(let tenant), .ciam(let tenant): return names.count <= 2 && isOwn(first, tenant)
    case .b2c(let tenant, let policy, _):
      guard first == "tfp" else { return names.count <= 2 && isOwn(first, tenant) }
      return names.count <= 4 && names.dropFirst(2).first == policy
        && names.dropFirst().first.map { isOwn($0, tenant) } == true
    case .adfs: return names == ["adfs"]
    case .openID: return false
    }
  }

  /// Throws for an ID token of a tenant that the authority is not for.
  ///
  /// `organizations` has no personal accounts, `consumers` nothing else, and a tenant's id only itself. Whatever the
  /// authority, the `tid` of a token is the tenant that its issuer names.
  func checkTenant(_ claimed: String?, issuer: String) throws(WireError) {
    guard cloud != nil else { return }
    guard let claimed = claimed?.normalised else {
      // B2C names the tenant in the issuer only.
      guard type == .entra else { return }
      throw WireError("id_token_issuer", "The ID token names no tenant (tid).")
    }
    if let refusal = refusal(ofTenant: claimed) { throw WireError("id_token_tenant", refusal) }
    let issuers = Authority.names(in: issuer)?.filter(\.isTenantID) ?? []
    guard [tenantID, issuers.first].allSatisfy({ $0 == nil || $0 == claimed }) else {
      throw WireError(
        "id_token_issuer", "The ID token is of another tenant than \(text) is for.")
    }
  }

  /// Why the people of a tenant cannot sign in here, as a sentence that says what to do; nil if they can.
  ///
  /// Entra refuses them on its page (AADSTS50020), so that neither a sign-in nor a refresh can end well.
  func refusal(ofTenant home: String) -> String? {
    guard type == .entra else { return nil }
    let isPersonal = home == CloudTable.consumersTenant
    return switch tenant {
    case "organizations" where isPersonal:
      "The account is a personal one, and \(text) is for work and school accounts: sign in with one of those, or use the authority \(address.origin)/common."
    case "consumers" where !isPersonal:
      "The account is a work or school account, and \(text) is for personal ones: sign in with one of those, or use the authority \(address.origin)/common."
    default: nil
    }
  }

  /// The tenant's id, if the address tells it.
  private var tenantID: String? {
    if type == .entra, tenant == "consumers" { return CloudTable.consumersTenant }
    return tenant.isTenantID ? tenant : nil
  }

  /// Whether a name in an issuer is this tenant's: any id may belong to a domain.
  private func isOwn(_ name: String, _ tenant: String) -> Bool {
    name == tenant || name == Authority.anyTenant
      || name.isTenantID && (tenantID == nil || tenantID == name)
  }

  /// The names in the path of an issuer.
  private static func names(in issuer: String) -> [String]? {
    WebAddress(issuer.replacing("{tenantid}", with: anyTenant))?.pathSegments.map(\.normalised)
  }

  /// What `{tenantid}` is while an address is read: braces are no part of one.
  private static let anyTenant = "tenantid"
}

extension String {
  /// Whether it has the form of a tenant's id: a UUID in lower case.
  fileprivate var isTenantID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy {
        $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      }
  }
}
