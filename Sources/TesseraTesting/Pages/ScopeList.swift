// SPDX-License-Identifier: MIT
// What an application asks for, in the words of the person who is asked.

import TesseraWire

/// The list of what is consented to.
enum ScopeList {
  /// What scopes mean that are the same everywhere (OpenID Connect Core sections 5.4 and 11).
  private static let meanings = [
    "openid": "know who you are", "profile": "see your name", "email": "see your email address",
    "offline_access": "keep you signed in until you sign out",
  ]

  /// The items of the list; empty for no scope.
  static func items(_ scopes: Scopes) -> [HTML] {
    scopes.list.map { "<li>\(meanings[$0] ?? "use \($0)")</li>\n" }
  }
}
