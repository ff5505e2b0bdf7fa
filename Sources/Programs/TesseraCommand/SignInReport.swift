// SPDX-License-Identifier: MIT
// The report of a finished sign-in, and its exit status.

import ArgumentParser
import Tessera

extension Output {
  /// Prints the account that signed in.
  ///
  /// - Throws: `fixStorage` if the sign-in was not stored, so that it is lost when the command ends; an exit status if
  ///   the server declined scopes.
  static func report(signedIn result: TokenResult, asJSON: Bool) throws {
    for warning in result.warnings { printWarning(warning) }
    let name = result.account.username ?? result.account.homeAccountID
    if asJSON {
      let declined = result.declinedScopes
      printLine(
        .object([
          "account": .document(result.account.jsonDocument),
          "declined_scopes": declined.isEmpty ? nil : .array(declined.map { .string($0) }),
          "browser_reason": result.browserReason.map { .string($0) },
          "persisted": result.isPersisted ? nil : .bool(false),
        ]))
    } else if result.isPersisted {
      report("Signed in as \(name).")
    }
    guard result.isPersisted else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "\(name) signed in, but the sign-in was not stored. Sign in again when the store is writable."
      )
    }
    try checkScopes(of: result, asJSON: asJSON)
  }

  /// Reports the scopes that the server declined, after the result was printed.
  ///
  /// - Throws: The exit status of a required sign-in if there are any, so that scripts do not overlook them.
  static func checkScopes(of result: TokenResult, asJSON: Bool) throws {
    guard !result.declinedScopes.isEmpty else { return }
    if !asJSON {
      printWarning("The server declined: \(result.declinedScopes.joined(separator: " ")).")
      if let step = NextSteps.codes[.serverDeclinedScopes] { printError("  \(step)") }
    }
    throw ExitCode(TesseraError.Remedy.signIn.rawValue)
  }
}
