// SPDX-License-Identifier: MIT
// The keys of entries as MSAL Python makes them, which finds and removes by them.

import TesseraWire

/// How a key is made of an entry's members.
enum UnifiedKey {
  /// The key of an entry; MSAL Python 1.39 `token_cache.py`, `key_makers`.
  static func text(_ section: UnifiedSection, _ members: JSONObject) -> String {
    let text = { (name: String) in members[name]?.string ?? "" }
    let owner = [text("home_account_id"), text("environment")]
    let parts: [String]
    switch section {
    case .accessToken:
      parts = owner + ["accesstoken", text("client_id"), text("realm"), text("target")]
    case .refreshToken: parts = owner + ["refreshtoken", text("client_id"), "", text("target")]
    case .idToken: parts = owner + ["idtoken", text("client_id"), text("realm"), ""]
    case .account: parts = owner + [text("realm")]
    // Of these alone it keeps the case.
    case .appMetadata: return "appmetadata-\(text("environment"))-\(text("client_id"))"
    case .own, .other: parts = []
    }
    return parts.joined(separator: "-").lowercased()
  }
}
