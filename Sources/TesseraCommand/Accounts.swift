// SPDX-License-Identifier: MIT
// tessera accounts: lists signed-in accounts.

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

  @Flag(
    help: """
      The one account of a program that is for one person at a time, and who it was at the last such call. This is such a \
      call: to the program's own next one, nobody has changed.
      """)
  var current = false

  func validate() throws {
    guard !current || (account.request == AccountsRequest() && signedInOnly && !claims) else {
      throw ValidationError(
        "--current is the one account there is: no other option about accounts goes with it.")
    }
  }

  func run() throws {
    guard !current else { return try printCurrent() }
    try Output.run(application) { app throws(TesseraError) in
      var request = account.request
      request.signedInOnly = signedInOnly
      request.includesClaims = claims
      let accounts = try app.accounts(request)
      if application.json {
        let list = JSONValue.array(accounts.map(\.json))
        return Output.printLine(JSONValue.object(["accounts": list]))
      }
      if accounts.isEmpty { Output.printError(Accounts.emptyListMessage(like: account.request)) }
      Output.report(rows: accounts.map(Accounts.row))
    }
  }

  private func printCurrent() throws {
    try Output.run(application) { app throws(TesseraError) in
      let found = try app.currentAccount()
      if application.json { return Output.printLine(found.json) }
      if let account = found.account {
        Output.report(rows: [Accounts.row(account)])
      } else {
        Output.printError(Accounts.emptyListMessage(like: AccountsRequest()))
      }
      if let previous = found.previousAccount,
        previous.homeAccountID != found.account?.homeAccountID
      {
        Output.printError("Before: \(Accounts.row(previous).joined(separator: " "))")
      }
    }
  }

  /// Returns the message for an empty list.
  private static func emptyListMessage(like request: AccountsRequest) -> String {
    request == AccountsRequest()
      ? "Nobody has signed in. Run \"tessera login\" with the same options."
      : "Nobody like that has signed in."
  }

  /// Returns the columns of an account: its user name and its home account ID.
  private static func row(_ account: Account) -> [String] {
    [account.username ?? "(no name)", account.homeAccountID]
  }
}
