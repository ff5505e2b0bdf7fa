// SPDX-License-Identifier: MIT
// The report of a finished sign-in, and its exit status.

import Tessera

extension Output {
  /// Prints the account that signed in.
  ///
  /// - Throws: `fixStorage` if the sign-in was not stored, so that it is lost when the command ends.
  static func report(signedIn result: TokenResult, asJSON: Bool) throws(TesseraError) {
    for warning in result.warnings { printWarning(warning) }
    let name = result.account.username ?? result.account.homeAccountID
    if asJSON {
      printLine(
        .object([
          "account": .document(result.account.jsonDocument),
          "browser_reason": result.browserReason.map { .string($0) },
          "persisted": result.isPersisted ? nil : .bool(false),
        ]))
    } else if result.isPersisted {
      report("Signed in as \(name).")
    }
    guard !result.isPersisted else { return }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      "\(name) signed in, but the sign-in was not stored. Sign in again when the store is writable."
    )
  }
}
