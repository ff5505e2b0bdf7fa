// SPDX-License-Identifier: MIT
// Who issues tokens: the Entra face with its audiences, and any number of plain OpenID Connect issuers.

import TesseraWire

/// Who issues tokens.
enum Issuer: Sendable, Hashable {
  /// The Entra face, asked through one of its authorities.
  case entra(EntraAudience)
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
    case .plain(let name): "/oidc/\(name)"
    }
  }

  /// The path of the issuer's own identifier, as the discovery document names it.
  var identifierPath: String {
    switch self {
    case .entra(let audience): "/\(audience.issuerSegment)/v2.0"
    case .plain: path
    }
  }

  /// Within what a refresh token is good: the whole Entra face, or one plain issuer.
  var refreshTokenRealm: String {
    switch self {
    case .entra: "entra"
    case .plain(let name): "oidc/\(name)"
    }
  }

  /// Whether answers look like Entra's.
  var isEntra: Bool {
    if case .entra = self { true } else { false }
  }

  /// Whether a person may sign in here.
  func admits(_ user: LocalUser) -> Bool {
    switch self {
    case .entra(let audience): audience.tenant(for: user) != nil
    case .plain: true
    }
  }
}
