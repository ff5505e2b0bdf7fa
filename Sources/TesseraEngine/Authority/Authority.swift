// SPDX-License-Identifier: MIT
// Who issues tokens: a tenant or policy of the Microsoft identity platform, ADFS, or any OpenID Connect issuer.

package import TesseraWire

/// An authority, read from its address.
package struct Authority: Sendable, Hashable {
  /// What kind it is, with what only that kind has.
  package enum Kind: Sendable, Hashable {
    /// A tenant: a GUID, a domain, or `common`, `organizations`, `consumers`.
    case entra(tenant: String)
    /// A policy of a B2C tenant; with `tfp` in front of the tenant, or without.
    case b2c(tenant: String, policy: String, isTFP: Bool)
    /// An external tenant, by its GUID or a domain.
    case ciam(tenant: String)
    /// ADFS.
    case adfs
    /// An issuer, spelled exactly as it spells itself.
    case openID(issuer: String)
  }

  /// What kind it is.
  package let kind: Kind
  /// Its address.
  package let address: WebAddress

  /// An authority with its parts.
  init(_ kind: Kind, at address: WebAddress) {
    self.kind = kind
    self.address = address
  }

  /// Its address in one spelling: the same authority always has the same text.
  package var text: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): "\(address.origin)/\(tenant)"
    case .b2c(let tenant, let policy, let isTFP):
      "\(address.origin)\(isTFP ? "/tfp" : "")/\(tenant)/\(policy)"
    case .adfs: "\(address.origin)/adfs"
    case .openID(let issuer): issuer
    }
  }

  /// Its kind without what only that kind has.
  package var type: AuthorityType {
    switch kind {
    case .entra: .entra
    case .b2c: .b2c
    case .ciam: .ciam
    case .adfs: .adfs
    case .openID: .openID
    }
  }

  /// The tenant that its address names; empty where there are none.
  package var tenant: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): tenant
    case .b2c(let tenant, _, _): tenant
    case .adfs, .openID: ""
    }
  }

  /// Where its discovery document lies (OpenID Connect Discovery section 4).
  package var configurationURL: String {
    let base =
      switch kind {
      case .entra, .b2c, .ciam: text + "/v2.0"
      case .adfs: text
      case .openID(let issuer): issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      }
    return base + "/.well-known/openid-configuration"
  }

  /// The hosts of its cloud, as far as they are known without asking; nil for ADFS and OpenID Connect.
  ///
  /// A B2C or external tenant has its own host, whatever else runs there. A host over http has its scheme in its name.
  package var cloud: CloudInstance? {
    let host = address.authority
    let name = address.environment
    let own = CloudInstance(preferredNetwork: host, preferredCache: name, aliases: [name])
    return switch kind {
    case .entra: CloudTable.cloud(of: host) ?? own
    case .b2c, .ciam: own
    case .adfs, .openID: nil
    }
  }

  /// Whether it belongs to the Microsoft identity platform, which names people in `client_info`.
  package var isEntra: Bool { cloud != nil }

  /// Whether it is Microsoft's software, which understands Microsoft's header fields.
  package var isMicrosoft: Bool { type != .openID }

  /// The environment under which its issuer's records are stored, if it has no cloud.
  ///
  /// The host of ADFS, as other MSALs have it; else the issuer, path included: two issuers on one host never share.
  /// The scheme is left out only if it is https, so that http and https never share either.
  package var issuerEnvironment: String? {
    switch kind {
    case .adfs: return address.environment
    case .openID(let issuer):
      let name = String(issuer.drop { $0 != ":" }.dropFirst(3))
      // An https issuer at a host that is called "http" keeps its scheme, to look like no other one.
      let isPlain = address.scheme == "https" && !name.hasPrefix("http://")
      return isPlain ? name : "\(address.scheme)://\(name)"
    case .entra, .b2c, .ciam: return nil
    }
  }

  /// Where the tokens of a tenant come from, as a result and the account's metadata name it.
  ///
  /// B2C has a place for the tenant in the form with `tfp` only (MSAL for Apple).
  package func resultText(realm: String) -> String {
    switch kind {
    case .entra, .ciam: realm.isEmpty ? text : "\(address.origin)/\(realm)"
    case .b2c(_, let policy, true) where !realm.isEmpty: "\(address.origin)/tfp/\(realm)/\(policy)"
    case .b2c, .adfs, .openID: text
    }
  }
}
