// SPDX-License-Identifier: MIT
// tessera accounts: lists signed-in accounts.

import ArgumentParser
import Tessera

/// Lists the accounts of an application.
struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List signed-in accounts.",
    discussion: """
      Lists the accounts of the application at all providers. The account options filter the list. Works offline.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Flag(
    inversion: .prefixedNo,
    help: "List only accounts that are signed in to this application.")
  var signedInOnly = true

  @Flag(help: "Include the claims of the ID tokens in the JSON output.")
  var claims = false

  @Flag(
    help: """
      Show the current account of an application for one user at a time. If the account has changed since the last use \
      of this option, also show the previous account.
      """)
  var current = false

  func validate() throws {
    guard !current || (account.request == AccountsRequest() && signedInOnly && !claims) else {
      throw ValidationError(
        "--current cannot be combined with other account options.")
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
        let list = JSONText.array(accounts.map { .document($0.jsonDocument) })
        return Output.printLine(.object(["accounts": list]))
      }
      if accounts.isEmpty {
        let isFiltered = account.request != AccountsRequest()
        Output.printError(isFiltered ? account.noMatchMessage : Accounts.emptyListMessage)
      }
      Output.report(rows: accounts.map(Accounts.row))
    }
  }

  private func printCurrent() throws {
    try Output.run(application) { app throws(TesseraError) in
      let found = try app.currentAccount()
      if application.json { return Output.printLine(.document(found.jsonDocument)) }
      if let account = found.account {
        Output.report(rows: [Accounts.row(account)])
      } else {
        Output.printError(Accounts.emptyListMessage)
      }
      if let previous = found.previousAccount,
        previous.homeAccountID != found.account?.homeAccountID
      {
        Output.printError("Previous account: \(Accounts.row(previous).joined(separator: " "))")
      }
    }
  }

  /// The message for an empty list without filters.
  private static let emptyListMessage =
    "No account is signed in. Run \"tessera login\" with the same options."

  /// Returns the columns of an account: its user name and its home account ID.
  private static func row(_ account: Account) -> [String] {
    [account.username ?? "(no name)", account.homeAccountID]
  }
}
