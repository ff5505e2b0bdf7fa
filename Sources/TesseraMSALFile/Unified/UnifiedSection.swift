// SPDX-License-Identifier: MIT
// The sections of the document: the five of all libraries, Tessera's own, and unknown ones.

import TesseraCache
import TesseraWire

/// A section, which is a top-level member of the document.
enum UnifiedSection: Sendable, Hashable {
  case accessToken
  case refreshToken
  case idToken
  case account
  case appMetadata
  /// The section with the records that only Tessera knows.
  ///
  /// MSAL for Java 1.20 and later removes it, so no token depends on it.
  case own
  /// A section that no supported library knows, by its number among those.
  case other(Int)

  /// The sections of all libraries, in the order of MSAL Python.
  static let shared: [UnifiedSection] = [
    .accessToken, .account, .idToken, .refreshToken, .appMetadata,
  ]
  /// The sections with records, in the order of their numbers.
  static let known: [UnifiedSection] = [
    .accessToken, .refreshToken, .idToken, .account, .appMetadata, .own,
  ]

  /// The number of the section.
  var number: Int {
    switch self {
    case .accessToken: 0
    case .refreshToken: 1
    case .idToken: 2
    case .account: 3
    case .appMetadata: 4
    case .own: 5
    case .other(let index): 6 &+ index
    }
  }

  /// The name of a known section, or an empty string for others.
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

  /// Creates the known section with a name, or returns `nil` if there is none.
  init?(name: String) {
    guard let section = UnifiedSection.known.first(where: { $0.name == name }) else { return nil }
    self = section
  }

  /// Creates the section for records with a key, or returns `nil` if only Tessera's own section may contain them.
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
