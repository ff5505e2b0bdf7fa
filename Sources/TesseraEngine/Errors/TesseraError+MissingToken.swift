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
        .signIn, .storeMissing,
        "The token store does not exist: no user has signed in yet, or it was deleted. Sign in.")
    case .empty:
      self.init(
        .signIn, .storeEmpty, "The token store is empty: no user is signed in. Sign in.")
    case .damaged(let what): self.init(.signIn, .cacheDamaged, what)
    }
  }
}
