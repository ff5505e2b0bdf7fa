// SPDX-License-Identifier: MIT
// Descriptions of scopes for the consent page.

import TesseraWire

/// The list of scopes on a consent page.
enum ScopeList {
  /// The descriptions of standard scopes (OpenID Connect Core sections 5.4 and 11).
  private static let descriptions = [
    "openid": "read your identity", "profile": "see your name", "email": "see your email address",
    "offline_access": "keep you signed in until you sign out",
  ]

  /// Returns the list items; empty without scopes.
  static func items(_ scopes: Scopes) -> [HTML] {
    scopes.list.map { "<li>\(descriptions[$0] ?? "use \($0)")</li>\n" }
  }
}
