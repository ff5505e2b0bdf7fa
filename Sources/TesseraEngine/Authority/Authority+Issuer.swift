// SPDX-License-Identifier: MIT
// The valid issuers of Microsoft authorities and the tenants of their ID tokens.

import TesseraWire

extension Authority {
  /// Returns whether an issuer has a path that is valid for this kind of authority.
  ///
  /// The host is checked elsewhere.
  ///
  /// The paths are those of the servers' discovery documents:
  /// - Entra and external tenants: `/ID/v2.0` or `/ID/` (version 1). `{tenantid}` may replace the ID.
  /// - B2C: the same, or `/tfp/ID/POLICY/v2.0/`.
  /// - ADFS: `/adfs`.
  func isValidIssuer(_ issuer: String) -> Bool {
    // The issuer of an OpenID Connect provider may have no path.
    if case .openID(let own) = kind { return issuer == own }
    guard let names = Authority.names(in: issuer), let first = names.first else { return false }
    switch kind {
    case .entra(let tenant), .ciam(let tenant):
      return names.count <= 2 && matchesTenant(first, tenant)
    case .b2c(let tenant, let policy, _):
      guard first == "tfp" else { return names.count <= 2 && matchesTenant(first, tenant) }
      return names.count <= 4 && names.dropFirst(2).first == policy
        && names.dropFirst().first.map { matchesTenant($0, tenant) } == true
    case .adfs: return names == ["adfs"]
    case .openID: return false
    }
  }

  /// Checks that the tenant of an ID token is valid for the authority.
  ///
  /// `organizations` excludes personal accounts, `consumers` excludes all others, and a tenant ID matches only itself.
  /// For every authority, `tid` must be the tenant in the token's issuer.
  ///
  /// - Throws: `id_token_tenant` or `id_token_issuer`.
  func checkTenant(_ claimed: String?, issuer: String) throws(WireError) {
    guard cloud != nil else { return }
    guard let claimed = claimed?.normalised else {
      // B2C includes the tenant in the issuer only.
      guard type == .entra else { return }
      throw WireError("id_token_issuer", "The ID token has no tenant (tid).")
    }
    if let message = rejectionMessage(forTenant: claimed) {
      throw WireError("id_token_tenant", message)
    }
    let issuers = Authority.names(in: issuer)?.filter(\.isTenantID) ?? []
    guard [tenantID, issuers.first].allSatisfy({ $0 == nil || $0 == claimed }) else {
      throw WireError(
        "id_token_issuer", "The ID token was issued for a different tenant than \(text).")
    }
  }

  /// Returns the error message for accounts of a tenant that cannot sign in here, or `nil` if they can.
  ///
  /// Entra rejects them on its page (AADSTS50020), so neither a sign-in nor a refresh can succeed.
  func rejectionMessage(forTenant home: String) -> String? {
    guard type == .entra else { return nil }
    let isPersonal = home == CloudTable.consumersTenant
    return switch tenant {
    case "organizations" where isPersonal:
      "The account is a personal account, but \(text) admits only work and school accounts: sign in with one of those, or use the authority \(address.origin)/common."
    case "consumers" where !isPersonal:
      "The account is a work or school account, but \(text) admits only personal accounts: sign in with one of those, or use the authority \(address.origin)/common."
    default: nil
    }
  }

  /// The tenant ID, if the URL contains it.
  private var tenantID: String? {
    if type == .entra, tenant == "consumers" { return CloudTable.consumersTenant }
    return tenant.isTenantID ? tenant : nil
  }

  /// Returns whether a tenant in an issuer is this one.
  ///
  /// Any tenant ID may belong to a domain name.
  private func matchesTenant(_ name: String, _ tenant: String) -> Bool {
    name == tenant || name == Authority.anyTenant
      || name.isTenantID && (tenantID == nil || tenantID == name)
  }

  /// Returns the normalized path segments of an issuer, or `nil` if it is not a URL.
  private static func names(in issuer: String) -> [String]? {
    WebURL(issuer.replacing("{tenantid}", with: anyTenant))?.pathSegments.map(\.normalised)
  }

  /// The replacement for `{tenantid}` before parsing, because braces are not valid in a URL.
  private static let anyTenant = "tenantid"
}

extension String {
  /// Whether the string has the form of a tenant ID: a lower-case UUID.
  fileprivate var isTenantID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy {
        $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      }
  }
}
