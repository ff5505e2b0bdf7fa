// SPDX-License-Identifier: MIT
// The search for a user's tokens among those of older libraries.

import TesseraCache
import TesseraWire

/// A search with the user names that it covers.
struct LegacyNameSearch {
  var search: LegacySearch
  var names: Set<ExactString>

  /// Returns the items in a snapshot that may be redeemed, in order of preference.
  func items(_ inputs: SilentInputs) -> [LegacyItem] {
    var search = search
    search.familyID = inputs.snapshot.familyID(of: inputs.clientID)
    let superseded = inputs.supersededTokens
    return search.candidates(in: inputs.snapshot.legacyAccounts.flatMap(\.items)).filter { item in
      guard let token = item.refreshToken, !isSpent(item, inputs) else { return false }
      return !superseded.contains(token) && inputs.activeThrottle(redeeming: token) == nil
    }
  }

  /// Whether the account has or had a token that is newer than an item.
  private func isSpent(_ item: LegacyItem, _ inputs: SilentInputs) -> Bool {
    guard !inputs.homeAccountID.isEmpty, let upgrade = item.upgrade else { return false }
    return upgrade == .replaced || !inputs.knownRefreshTokens.isEmpty
  }
}
