// SPDX-License-Identifier: MIT
// tessera logout: forget an account.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Forgets an account.
struct Logout: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Forget an account: its tokens for this application, for every program on this machine.")

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      let account = try account.account(of: app)
      try app.removeAccount(account)
      if application.json { return Output.say(JSONValue.object(["removed": true]).serialized) }
      Output.say("Signed out \(account.username ?? account.homeAccountID).")
    }
  }
}
