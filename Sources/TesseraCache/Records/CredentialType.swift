// SPDX-License-Identifier: MIT
// The kinds of credential of the unified schema, with their names and numbers.

import TesseraWire

/// What a credential record holds.
package enum CredentialType: Int, Sendable, CaseIterable {
  case accessToken = 1
  case refreshToken = 2
  case idToken = 3
  case primaryRefreshToken = 5
  case v1IDToken = 6
  case accessTokenWithAuthScheme = 7
  case familyRefreshToken = 8
  case boundRefreshToken = 9

  /// The value of the member `credential_type`.
  package var name: String {
    switch self {
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .primaryRefreshToken: "PrimaryRefreshToken"
    case .v1IDToken: "V1IdToken"
    case .accessTokenWithAuthScheme: "AccessToken_With_AuthScheme"
    case .familyRefreshToken: "FamilyRefreshToken"
    case .boundRefreshToken: "BoundRefreshToken"
    }
  }

  /// The type with a name, whatever its case.
  package init?(name: String) {
    guard
      let type = CredentialType.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
    else { return nil }
    self = type
  }

  /// The number that a record key carries (`kSecAttrType` in a keychain).
  package var number: Int { 2000 + rawValue }

  /// Whether it is an access token, bound to a key or not.
  package var isAccessToken: Bool {
    self == .accessToken || self == .accessTokenWithAuthScheme
  }

  /// Whether it can be exchanged for access tokens.
  package var isRefreshToken: Bool {
    switch self {
    case .refreshToken, .primaryRefreshToken, .familyRefreshToken, .boundRefreshToken: true
    default: false
    }
  }
}
