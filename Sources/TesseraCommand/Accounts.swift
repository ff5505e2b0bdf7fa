// SPDX-License-Identifier: MIT
// tessera accounts: who has signed in.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Lists the accounts of an application.
struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List who has signed in.")

  @OptionGroup var application: ApplicationOptions

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      let accounts = try app.accounts()
      if application.json {
        let list = JSONValue.array(accounts.map(\.json))
        return Output.say(JSONValue.object(["accounts": list]).serialized)
      }
      if accounts.isEmpty { Output.complain("Nobody has signed in.") }
      for account in accounts {
        Output.say("\(Output.oneLine(account.username ?? "(no name)"))\t\(account.homeAccountID)")
      }
    }
  }
}
