// SPDX-License-Identifier: MIT
// Eviction of access tokens from a document that is too large.

import TesseraCache
import TesseraWire

extension UnifiedCache {
  /// Evicts access tokens, those that expire first, until the document is smaller by the given number of bytes.
  ///
  /// Refresh tokens, accounts and foreign entries are kept. The size is that of the document when it was last written.
  package mutating func evictAccessTokens(bytes wanted: Int) {
    let list = document[.accessToken]
    let tokens = list.indices.compactMap { index -> (end: Int64, index: Int)? in
      guard case .credential(let token)? = record(.accessToken, index) else { return nil }
      return (token.expiresAt?.secondsSince1970 ?? 0, index)
    }
    var missing = wanted
    for token in tokens.sorted(by: <) where missing > 0 {
      let entry = list.entries[token.index]
      missing -= entry.key.count + entry.value.count
      drop(.accessToken, token.index)
      isChanged = true
    }
  }
}
