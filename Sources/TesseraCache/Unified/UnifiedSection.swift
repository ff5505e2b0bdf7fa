// SPDX-License-Identifier: MIT
// The members of the document that hold records: the five that all libraries know, and Tessera's own.

/// A member of the document that holds records.
enum UnifiedSection: Int, Sendable, CaseIterable {
  case accessToken
  case refreshToken
  case idToken
  case account
  case appMetadata
  /// What only Tessera knows. Every library keeps it but MSAL for Java from 1.20 on, so no token depends on it.
  case own

  /// The name of the member.
  var name: String {
    switch self {
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .account: "Account"
    case .appMetadata: "AppMetadata"
    case .own: "Tessera"
    }
  }

  /// The member with a name.
  init?(name: String) {
    guard let section = UnifiedSection.allCases.first(where: { $0.name == name }) else {
      return nil
    }
    self = section
  }

  /// Where records with a key may lie besides Tessera's own member; nil for those that lie only there.
  init?(shared key: RecordKey) {
    switch key.type {
    case 2001, 2007: self = .accessToken
    case 2002: self = .refreshToken
    case 2003: self = .idToken
    case LegacyAccountRecord.typeNumber: return nil
    case 1000..<2000: self = .account
    case AppMetadataRecord.typeNumber: self = .appMetadata
    default: return nil
    }
  }
}
