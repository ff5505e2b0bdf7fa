// SPDX-License-Identifier: MIT
// Who issues tokens: the Entra face with its audiences, B2C, an external tenant, ADFS, and any number of plain issuers.

import TesseraWire

/// Who issues tokens.
enum Issuer: Sendable, Hashable {
  /// The Entra face, asked through one of its authorities.
  case entra(EntraAudience)
  /// A policy of the B2C tenant, asked with `tfp` in front of the tenant, or without.
  case b2c(policy: String, isTFP: Bool)
  /// The external tenant (CIAM).
  case ciam
  /// ADFS.
  case adfs
  /// A plain OpenID Connect issuer, by its name.
  case plain(String)

  /// The name of a plain issuer; nil if it would not stay the same in an address.
  static func named(_ name: String) -> Issuer? {
    guard !name.isEmpty, name == FormFields.escape(name) else { return nil }
    return .plain(name)
  }

  /// The path below the origin that is common to the endpoints.
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

  /// The path of the issuer's own identifier, as the discovery document names it.
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

  /// Within what a refresh token is good: the whole Entra face, one policy, or one issuer.
  var refreshTokenRealm: String {
    switch self {
    case .entra: "entra"
    case .b2c(let policy, _): "b2c/\(policy)"
    case .ciam: "ciam"
    case .adfs: "adfs"
    case .plain(let name): "oidc/\(name)"
    }
  }

  /// Whether answers look like Entra's.
  var isEntra: Bool {
    switch self {
    case .entra, .b2c, .ciam: true
    case .adfs, .plain: false
    }
  }

  /// The tenant in which a person signs in; nil where there are none, or where the person may not.
  func tenant(for user: LocalUser) -> Tenant? {
    switch self {
    case .entra(let audience): audience.tenant(for: user)
    case .b2c: .customers
    case .ciam: .external
    case .adfs, .plain: nil
    }
  }

  /// Whether a person may sign in here.
  func admits(_ user: LocalUser) -> Bool {
    !isEntra || tenant(for: user) != nil
  }
}
