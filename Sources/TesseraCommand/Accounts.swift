// SPDX-License-Identifier: MIT
// tessera accounts: who has signed in.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Lists the accounts of an application.
struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List who has signed in.",
    discussion: """
      All accounts of the application, of all providers; the options about an account narrow the list. Asks no server.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Flag(
    inversion: .prefixedNo,
    help: "Whether those who signed out, and the accounts of other applications, are left out.")
  var signedInOnly = true

  @Flag(help: "With the claims of the accounts' ID tokens, in JSON.")
  var claims = false

  func run() throws {
    try Output.run(application) { app throws(TesseraError) in
      var request = account.request
      request.signedInOnly = signedInOnly
      request.includesClaims = claims
      let accounts = try app.accounts(request)
      if application.json {
        let list = JSONValue.array(accounts.map(\.json))
        return Output.say(JSONValue.object(["accounts": list]).serialized)
      }
      if accounts.isEmpty { Output.complain("Nobody like that has signed in.") }
      for account in accounts {
        Output.say("\(Output.oneLine(account.username ?? "(no name)"))\t\(account.homeAccountID)")
      }
    }
  }
}
