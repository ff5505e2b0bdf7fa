// SPDX-License-Identifier: MIT
// The keys of entries in the format of MSAL Python, which finds and removes entries by key.

import TesseraCache
import TesseraWire

/// The construction of a key from the members of an entry.
enum UnifiedKey {
  /// Returns the key of an entry, as `key_makers` in `token_cache.py` of MSAL Python 1.39 does.
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
    // Only these keys preserve the case.
    case .appMetadata: return "appmetadata-\(text("environment"))-\(text("client_id"))"
    case .own, .other: parts = []
    }
    return parts.joined(separator: "-").lowercased()
  }
}
