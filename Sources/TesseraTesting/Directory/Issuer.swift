// SPDX-License-Identifier: MIT
// The issuers of the local provider: Entra ID, B2C, an external tenant, ADFS, and generic OpenID Connect issuers.

import TesseraWire

/// An issuer of tokens.
enum Issuer: Sendable, Hashable {
  /// Entra ID, addressed by one of its authorities.
  case entra(EntraAudience)
  /// A policy of the B2C tenant, addressed with or without `tfp` before the tenant.
  case b2c(policy: String, isTFP: Bool)
  /// The external tenant (CIAM).
  case ciam
  /// ADFS.
  case adfs
  /// A generic OpenID Connect issuer, by its name.
  case plain(String)

  /// Returns the generic issuer with a name; nil if the name would have to be escaped in a URL.
  static func named(_ name: String) -> Issuer? {
    guard !name.isEmpty, name == FormFields.escape(name) else { return nil }
    return .plain(name)
  }

  /// The common path of the endpoints, relative to the origin.
  var path: String {
    switch self {
    case .entra(let audience): "/\(audience.segment)"
    case .b2c(let policy, let isTFP):
      "\(isTFP ? "/tfp" : "")/\(Tenant.customers.name)/\(policy)"
    case .ciam: "/\(Tenant.external.id)"
    case .adfs: "/adfs"
    case .plain(let name): "/oidc/\(name)"
    }
  }

  /// The path of the token endpoint.
  var tokenPath: String {
    switch self {
    case .entra, .b2c, .ciam: path + "/oauth2/v2.0/token"
    case .adfs: path + "/oauth2/token"
    case .plain: path + "/token"
    }
  }

  /// The path of the issuer identifier in the discovery document.
  var identifierPath: String {
    switch self {
    case .entra(let audience): "/\(audience.issuerSegment)/v2.0"
    // B2C's issuers end in a slash.
    case .b2c(_, false): "/\(Tenant.customers.id)/v2.0/"
    case .b2c(let policy, true): "/tfp/\(Tenant.customers.id)/\(policy)/v2.0/"
    case .ciam: path + "/v2.0"
    case .adfs, .plain: path
    }
  }

  /// The scope of validity of a refresh token: all of Entra ID, one policy, or one issuer.
  var refreshTokenRealm: String {
    switch self {
    case .entra: "entra"
    case .b2c(let policy, _): "b2c/\(policy)"
    case .ciam: "ciam"
    case .adfs: "adfs"
    case .plain(let name): "oidc/\(name)"
    }
  }

  /// Whether responses have Entra's format.
  var isEntra: Bool {
    switch self {
    case .entra, .b2c, .ciam: true
    case .adfs, .plain: false
    }
  }

  /// Returns the tenant in which a user signs in; nil if the issuer has no tenants or the user is not allowed.
  func tenant(for user: LocalUser) -> Tenant? {
    switch self {
    case .entra(let audience): audience.tenant(for: user)
    case .b2c: .customers
    case .ciam: .external
    case .adfs, .plain: nil
    }
  }

  /// The tenant in which an application without a user gets tokens; nil if the address names no tenant.
  var tenantOfApplications: Tenant? {
    switch self {
    case .entra(.tenant(let tenant)): tenant == .personal ? nil : tenant
    case .entra, .adfs, .plain: nil
    case .b2c: .customers
    case .ciam: .external
    }
  }

  /// The name of the issuer in counters: the tenant segment of Entra, otherwise the path.
  var name: String {
    String(path.dropFirst())
  }

  /// Whether a user may sign in at this issuer.
  func admits(_ user: LocalUser) -> Bool {
    !isEntra || tenant(for: user) != nil
  }
}
