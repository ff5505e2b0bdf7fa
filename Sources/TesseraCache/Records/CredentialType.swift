// SPDX-License-Identifier: MIT
// The credential types of the unified schema, with their names and numbers.

import TesseraWire

/// The type of a credential record.
package enum CredentialType: Int, Sendable, CaseIterable {
  case accessToken = 1
  case refreshToken = 2
  case idToken = 3
  case primaryRefreshToken = 5
  case v1IDToken = 6
  case accessTokenWithAuthScheme = 7
  case familyRefreshToken = 8
  case boundRefreshToken = 9

  /// The value of the `credential_type` member.
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

  /// Creates the type with a name, ignoring case.
  package init?(name: String) {
    guard
      let type = CredentialType.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
    else { return nil }
    self = type
  }

  /// The type number in the record key (`kSecAttrType` in a keychain).
  package var number: Int { 2000 + rawValue }

  /// Whether it is an access token, key-bound or not.
  package var isAccessToken: Bool {
    self == .accessToken || self == .accessTokenWithAuthScheme
  }

  /// Whether it can be redeemed for access tokens.
  package var isRefreshToken: Bool {
    switch self {
    case .refreshToken, .primaryRefreshToken, .familyRefreshToken, .boundRefreshToken: true
    default: false
    }
  }
}
