// SPDX-License-Identifier: MIT
// Which access tokens make room in a document that has become too long.

import TesseraWire

extension UnifiedCache {
  /// Removes access tokens, those that end first, until a document as it was last written is some bytes shorter.
  ///
  /// Refresh tokens and accounts stay, and so does what another library keeps for itself.
  package mutating func makeRoom(bytes wanted: Int) {
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
