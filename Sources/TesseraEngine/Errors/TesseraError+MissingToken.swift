// SPDX-License-Identifier: MIT
// Errors for accounts without tokens, depending on the state of the store.

import TesseraCache

extension TesseraError {
  /// Creates an error that requires a sign-in.
  ///
  /// If the store is missing, empty or damaged, the error reports this.
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
