// SPDX-License-Identifier: MIT
// The report of a finished sign-in, and its exit status.

import Tessera
import TesseraEngine
import TesseraWire

extension Output {
  /// Prints the account that signed in.
  ///
  /// - Throws: `fixStorage` if the sign-in was not stored, so that it is lost when the command ends.
  static func report(signedIn result: TokenResult, asJSON: Bool) throws(TesseraError) {
    for warning in result.warnings { printWarning(warning) }
    let name = result.account.username ?? result.account.homeAccountID
    if asJSON {
      var document: JSONObject = ["account": result.account.json]
      document.append("browser_reason", result.browserReason)
      if !result.isPersisted { document.append("persisted", .bool(false)) }
      printLine(JSONValue.object(document))
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
