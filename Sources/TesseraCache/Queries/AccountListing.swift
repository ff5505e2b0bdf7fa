// SPDX-License-Identifier: MIT
// The effect of a record on the account list, which shows that tokens exist but not their values.

import TesseraWire

extension CacheRecord {
  /// The members that a refresh changes in a token, and that do not affect the account list.
  private static let refreshedMembers: Set = [
    "secret", "cached_at", "expires_on", "extended_expires_on", "refresh_on",
    "last_modification_time",
  ]

  /// Whether the account list may change if this record replaces an older one or is added.
  package func changesAccountList(replacing older: CacheRecord?) -> Bool {
    switch self {
    // These records contain no account data.
    case .discovery, .throttle, .signIn, .legacySources, .foreign: false
    case .credential(let token):
      if token.type.isAccessToken {
        false
      } else if case .credential(let old)? = older, token.type == old.type {
        !token.members.isSame(as: old.members, ignoring: CacheRecord.refreshedMembers)
      } else {
        true
      }
    // The current account of a single-account application is not part of the list.
    case .accountMetadata(let metadata): metadata.homeAccountID != nil
    case .account, .appMetadata, .legacyAccount: true
    }
  }
}
