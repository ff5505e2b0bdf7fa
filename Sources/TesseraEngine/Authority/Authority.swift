// SPDX-License-Identifier: MIT
// The issuer of tokens: a tenant or policy of the Microsoft identity platform, ADFS, or any OpenID Connect provider.

package import TesseraWire

/// An authority, parsed from its URL.
package struct Authority: Sendable, Hashable {
  /// The kind of the authority, with its components.
  package enum Kind: Sendable, Hashable {
    /// A tenant: a GUID, a domain, or `common`, `organizations`, `consumers`.
    case entra(tenant: String)
    /// A policy of a B2C tenant, with or without `tfp` before the tenant.
    case b2c(tenant: String, policy: String, isTFP: Bool)
    /// An external tenant, identified by a GUID or a domain.
    case ciam(tenant: String)
    /// ADFS.
    case adfs
    /// An OpenID Connect issuer, spelled exactly as in its discovery document.
    case openID(issuer: String)
  }

  /// The kind of the authority.
  package let kind: Kind
  /// The URL of the authority.
  package let address: WebURL

  /// Creates an authority from its components.
  init(_ kind: Kind, at address: WebURL) {
    self.kind = kind
    self.address = address
  }

  /// The canonical URL: equal authorities have equal texts.
  package var text: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): "\(address.origin)/\(tenant)"
    case .b2c(let tenant, let policy, let isTFP):
      "\(address.origin)\(isTFP ? "/tfp" : "")/\(tenant)/\(policy)"
    case .adfs: "\(address.origin)/adfs"
    case .openID(let issuer): issuer
    }
  }

  /// The kind without its components.
  package var type: AuthorityType {
    switch kind {
    case .entra: .entra
    case .b2c: .b2c
    case .ciam: .ciam
    case .adfs: .adfs
    case .openID: .openID
    }
  }

  /// The tenant in the URL; empty for ADFS and OpenID Connect.
  package var tenant: String {
    switch kind {
    case .entra(let tenant), .ciam(let tenant): tenant
    case .b2c(let tenant, _, _): tenant
    case .adfs, .openID: ""
    }
  }

  /// The URL of the discovery document (OpenID Connect Discovery section 4).
  package var configurationURL: String {
    let base =
      switch kind {
      case .entra, .b2c, .ciam: text + "/v2.0"
      case .adfs: text
      case .openID(let issuer): issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
      }
    return base + "/.well-known/openid-configuration"
  }

  /// The built-in cloud of the authority's host; `nil` for ADFS and OpenID Connect.
  ///
  /// An unknown host, and any host of a B2C or external tenant, is treated as a separate cloud. The alias of an http host
  /// includes the scheme.
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

  /// Whether the authority belongs to the Microsoft identity platform, which identifies users by `client_info`.
  package var isEntra: Bool { cloud != nil }

  /// Whether the authority runs Microsoft software, which supports Microsoft's header fields.
  package var isMicrosoft: Bool { type != .openID }

  /// The environment under which records of the issuer are stored; `nil` for an authority with a cloud.
  ///
  /// For ADFS it is the host, as in MSAL. Otherwise it is the issuer including its path, so that two issuers on one
  /// host never share records. The scheme is omitted only for https, so that http and https never share records.
  package var issuerEnvironment: String? {
    switch kind {
    case .adfs: return address.environment
    case .openID(let issuer):
      let name = String(issuer.drop { $0 != ":" }.dropFirst(3))
      // An https issuer at a host named "http" keeps its scheme, so that it cannot equal an http issuer.
      let isPlain = address.scheme == "https" && !name.hasPrefix("http://")
      return isPlain ? name : "\(address.scheme)://\(name)"
    case .entra, .b2c, .ciam: return nil
    }
  }

  /// Returns the authority of a tenant's tokens, in the form used in results and in account metadata.
  ///
  /// For B2C, only the form with `tfp` has a position for the tenant (MSAL for Apple).
  package func resultText(realm: String) -> String {
    switch kind {
    case .entra, .ciam: realm.isEmpty ? text : "\(address.origin)/\(realm)"
    case .b2c(_, let policy, true) where !realm.isEmpty: "\(address.origin)/tfp/\(realm)/\(policy)"
    case .b2c, .adfs, .openID: text
    }
  }
}
