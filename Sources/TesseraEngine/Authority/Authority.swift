// SPDX-License-Identifier: MIT
// Who issues tokens: a tenant of the Microsoft identity platform, or any OpenID Connect issuer.

package import TesseraCache
package import TesseraWire

/// The kind of an authority.
public enum AuthorityType: String, Sendable, CaseIterable {
  /// The Microsoft identity platform.
  case entra
  /// Any other OpenID Connect provider.
  case openID = "openid"
}

/// An authority, read from its address.
package struct Authority: Sendable, Hashable {
  /// What kind it is, with what only that kind has.
  package enum Kind: Sendable, Hashable {
    /// A tenant: a GUID, a domain, or `common`, `organizations`, `consumers`.
    case entra(tenant: String)
    /// An issuer, spelled exactly as it spells itself.
    case openID(issuer: String)
  }

  /// What kind it is.
  package let kind: Kind
  /// Its address.
  package let address: WebAddress

  /// Reads an authority.
  ///
  /// - Parameter type: the kind; nil means Entra for the hosts of the Microsoft clouds, OpenID Connect for all others.
  /// - Throws: `fixConfiguration` for an address that is no authority, or to which no secret may be sent.
  package init(_ text: String, type: AuthorityType?) throws(TesseraError) {
    guard let address = WebAddress(text), !text.contains("#"), !text.contains("?") else {
      throw Authority.invalid("An authority is an https address without query or fragment.")
    }
    guard address.mayCarrySecrets else {
      throw Authority.invalid(
        "The authority \(address.origin) must be https; http is for this machine only.")
    }
    self.address = address
    switch type ?? (CloudTable.cloud(of: address.host) == nil ? .openID : .entra) {
    case .openID: kind = .openID(issuer: text)
    case .entra:
      guard let tenant = address.pathSegments.first else {
        throw Authority.invalid(
          "The authority names no tenant: add one, or /common, as in \(address.origin)/common.")
      }
      // What follows the tenant is dropped, as MSAL does, but for B2C and ADFS it would mean something else.
      guard tenant != "tfp", tenant != "adfs" else {
        throw Authority.invalid("B2C and ADFS authorities are not supported.")
      }
      kind = .entra(tenant: tenant.normalised)
    }
  }

  /// Its address in one spelling: the same authority always has the same text.
  package var text: String {
    switch kind {
    case .entra(let tenant): "\(address.origin)/\(tenant)"
    case .openID(let issuer): issuer
    }
  }

  /// Where its discovery document lies (OpenID Connect Discovery section 4).
  package var configurationURL: String {
    let base =
      switch kind {
      case .entra: text + "/v2.0"
      case .openID(let issuer): issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      }
    return base + "/.well-known/openid-configuration"
  }

  /// The hosts of its cloud, as far as they are known without asking; nil for OpenID Connect.
  package var cloud: CloudInstance? {
    guard case .entra = kind else { return nil }
    let host = address.authority
    return CloudTable.cloud(of: host)
      ?? CloudInstance(preferredNetwork: host, preferredCache: host, aliases: [host])
  }

  /// Whether it belongs to the Microsoft identity platform.
  package var isEntra: Bool { cloud != nil }

  /// The environment under which its issuer's records are stored, if it has no cloud.
  ///
  /// The issuer without its scheme, path included: two issuers on one host never share.
  package var issuerEnvironment: String? {
    guard case .openID(let issuer) = kind else { return nil }
    return String(issuer.drop { $0 != ":" }.dropFirst(3))
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidAuthority, message)
  }
}

extension Authority {
  /// The tenant of the tokens that an account has at this authority; nil if nobody has seen it yet.
  ///
  /// - Parameters:
  ///   - metadata: where the authority led when the account used it.
  ///   - hosts: the other hosts of its cloud: a tenant is the same at all of them.
  package func realm(
    of homeAccountID: String, _ metadata: AccountMetadataRecord?, hosts: [String]
  ) -> String? {
    guard case .entra(let tenant) = kind else { return "" }
    if let metadata {
      let aliases = hosts.map { "\(address.scheme)://\($0)/\(tenant)" }
      for name in [text] + aliases {
        if let result = metadata.authority(for: name, of: homeAccountID) {
          return WebAddress(result)?.pathSegments.first
        }
      }
    }
    switch tenant {
    case "consumers": return CloudTable.consumersTenant
    case "common", "organizations":
      // MSAL for Apple: a shared tenant stands for the account's own.
      return homeAccountID.split(separator: ".").dropFirst().last.map(String.init)
    default: return tenant
    }
  }

  /// An identifier of an account as this authority compares it.
  package func normalised(_ homeAccountID: String) -> String {
    isEntra ? homeAccountID.normalised : homeAccountID.trimmed
  }
}
