// SPDX-License-Identifier: MIT
// A profile: the settings of an application that the command line stores between calls.

import Tessera

/// The settings of an application.
///
/// They contain no secrets.
struct Profile: Hashable {
  /// The application and its provider.
  var registration = Registration()
  /// The scopes of a request without `--scope`.
  var scopes: [String] = []
  /// The group of the store; nil for the default group.
  var group: String?
  /// The user name of the default account, which `tessera use` sets.
  var username: String?
  /// The redirect URI of a sign-in; nil for the default one.
  var redirectURI: String?

  /// Whether a text is a valid name of a profile.
  static func isValidName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(\.isBareKey)
  }
}

/// An application and its provider, which are always taken from the same source.
struct Registration: Hashable {
  /// The client ID.
  var clientID: String?
  /// A tenant of Entra, instead of an authority.
  var tenant: String?
  /// The authority; nil for that of the tenant, or for all accounts of Entra.
  var authority: String?
  /// The type of the authority.
  var authorityType: AuthorityType?

  /// Whether no member is set.
  var isEmpty: Bool { self == Registration() }

  /// Whether the provider is set.
  var hasProvider: Bool { tenant != nil || authority != nil || authorityType != nil }

  /// Returns the URL of the authority; nil for the default one.
  ///
  /// - Throws: `invalidConfiguration` for an invalid tenant.
  func authorityURL() throws(TesseraError) -> String? {
    if let authority { return authority }
    guard let tenant else { return nil }
    let audience: SignInAudience? =
      switch tenant {
      case "common": .everybody
      case "organizations": .anyOrganization
      case "consumers": .personalAccounts
      default: nil
      }
    return try ApplicationConfiguration.authority(
      audience: audience, tenant: audience == nil ? tenant : nil)
  }
}

extension UInt8 {
  /// Whether the byte may be part of a bare key of TOML.
  var isBareKey: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
