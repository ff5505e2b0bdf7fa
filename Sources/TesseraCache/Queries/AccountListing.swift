// SPDX-License-Identifier: MIT
// What the list of the accounts depends on: that there are tokens, and whose; not which.

import TesseraWire

extension CacheRecord {
  /// What a refresh changes in a token, and what says nothing about an account.
  private static let passing: Set = [
    "secret", "cached_at", "expires_on", "extended_expires_on", "refresh_on",
    "last_modification_time",
  ]

  /// Whether the list of the accounts may be another one with this record in place of an older one, or of none.
  package func changesAccountList(replacing older: CacheRecord?) -> Bool {
    switch self {
    // What servers said is Tessera's own to remember, and says nothing of accounts either.
    case .discovery, .throttle, .signIn, .legacySources, .foreign: false
    case .credential(let token):
      if token.type.isAccessToken {
        false
      } else if case .credential(let old)? = older, token.type == old.type {
        !token.members.isSame(as: old.members, besides: CacheRecord.passing)
      } else {
        true
      }
    // Who the one person of a program is, is not in the list.
    case .accountMetadata(let metadata): metadata.homeAccountID != nil
    case .account, .appMetadata, .legacyAccount: true
    }
  }
}
