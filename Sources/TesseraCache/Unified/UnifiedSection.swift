// SPDX-License-Identifier: MIT
// The members of the document that hold records: the five that all libraries know, Tessera's own, and those of others.

import TesseraWire

/// A member of the document.
enum UnifiedSection: Sendable, Hashable {
  case accessToken
  case refreshToken
  case idToken
  case account
  case appMetadata
  /// What only Tessera knows. Every library keeps it but MSAL for Java from 1.20 on, so no token depends on it.
  case own
  /// A member that no library here knows, by its place among those.
  case other(Int)

  /// Those that all libraries know, in the order of MSAL Python.
  static let shared: [UnifiedSection] = [
    .accessToken, .account, .idToken, .refreshToken, .appMetadata,
  ]
  /// Those that hold records, by their numbers.
  static let known: [UnifiedSection] = [
    .accessToken, .refreshToken, .idToken, .account, .appMetadata, .own,
  ]

  /// Its number among all members.
  var number: Int {
    switch self {
    case .accessToken: 0
    case .refreshToken: 1
    case .idToken: 2
    case .account: 3
    case .appMetadata: 4
    case .own: 5
    case .other(let place): 6 &+ place
    }
  }

  /// The name of a member that is known; empty for others.
  var name: String {
    switch self {
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .account: "Account"
    case .appMetadata: "AppMetadata"
    case .own: "Tessera"
    case .other: ""
    }
  }

  /// The known member with a name.
  init?(name: String) {
    guard let section = UnifiedSection.known.first(where: { $0.name == name }) else { return nil }
    self = section
  }

  /// Where records with a key may lie besides Tessera's own member; nil for those that lie only there.
  init?(shared key: RecordKey) {
    switch key.type {
    case 2001: self = .accessToken
    case 2002: self = .refreshToken
    case 2003: self = .idToken
    case LegacyAccountRecord.typeNumber: return nil
    case 1000..<2000: self = .account
    case AppMetadataRecord.typeNumber: self = .appMetadata
    default: return nil
    }
  }
}
