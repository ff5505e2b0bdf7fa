// SPDX-License-Identifier: MIT
// Why there is nothing for an account: a store that is missing, empty or damaged says so.

import TesseraCache

extension TesseraError {
  /// Only the person can continue, for a reason of the store's if it has one.
  init(absence condition: StoreCondition, _ reason: String) {
    switch condition {
    case .usable: self.init(.signIn, .interactionRequired, reason)
    case .missing:
      self.init(
        .signIn, .storeMissing, "There is no token store yet: nobody has signed in. Sign in first.")
    case .empty:
      self.init(
        .signIn, .storeEmpty, "The token store is empty: nobody is signed in. Sign in first.")
    case .damaged(let what): self.init(.signIn, .cacheDamaged, what)
    }
  }
}
