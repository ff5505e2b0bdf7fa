// SPDX-License-Identifier: MIT
// What the list of the accounts depends on: that there are tokens, and whose; not which.

import TesseraWire

extension CacheRecord {
  /// What a refresh changes in a token, and what says nothing about an account.
  private static let passing = [
    "secret", "cached_at", "expires_on", "extended_expires_on", "refresh_on",
    "last_modification_time",
  ]

  private static let firstOwnType = 9000

  /// Whether the list of the accounts may be another one with this record in place of an older one, or of none.
  package func changesAccountList(replacing older: CacheRecord?) -> Bool {
    // What servers said is Tessera's own to remember, and says nothing of accounts either.
    if accessToken != nil || key.type >= CacheRecord.firstOwnType { return false }
    guard case .credential(let token) = self, case .credential(let old)? = older else {
      return true
    }
    return token.type != old.type || lasting != older?.lasting
  }

  /// The members that stay the same when a token is replaced.
  private var lasting: JSONObject {
    var members = members
    for name in CacheRecord.passing { members[name] = nil }
    return members
  }
}
