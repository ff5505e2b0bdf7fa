// SPDX-License-Identifier: MIT
// tessera accounts: lists signed-in accounts.

import ArgumentParser
import Tessera

/// Lists the accounts of an application.
struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List signed-in accounts.",
    usage: "tessera accounts [<options>]",
    discussion: """
      Examples:
        tessera accounts
        tessera accounts --all
        tessera accounts --username alice@contoso.com --json

      An asterisk marks the default account. Without a client ID, the list contains all sign-ins in the store. The account \
      options filter it. Works offline.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions

  @Flag(help: "List the sign-ins of all applications in the store.")
  var all = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "List only accounts that are signed in to this application.", visibility: .hidden))
  var signedInOnly = true

  @Flag(
    help: ArgumentHelp(
      "Include the claims of the ID tokens in the JSON output.", visibility: .hidden))
  var claims = false

  @Flag(
    help: ArgumentHelp(
      """
      Show the current account of an application for one user at a time. If the account has changed since the last use \
      of this option, also show the previous account.
      """, visibility: .hidden))
  var current = false

  func validate() throws {
    guard !current || (account.request == AccountsRequest() && signedInOnly && !claims) else {
      throw ValidationError(
        "--current cannot be combined with other account options.")
    }
  }

  func run() throws {
    guard !current else { return try printCurrent() }
    let isForStore: Bool
    do throws(TesseraError) {
      isForStore = all ? true : try application.settings().registration.value.clientID == nil
    } catch {
      Output.report(error, asJSON: application.json)
      throw ExitCode(error.remedy.rawValue)
    }
    guard isForStore else {
      return try Output.run(application) { app in
        try printSignIns(
          in: app.application, clientID: app.settings.registration.value.clientID,
          defaultName: app.settings.username.value)
      }
    }
    try Output.run(application.store, named: "tessera-accounts") { configuration in
      try printSignIns(
        in: PublicClientApplication(configuration), clientID: nil, defaultName: nil)
    }
  }

  /// Prints the accounts of an application, or those of the store without a client ID.
  private func printSignIns(
    in app: PublicClientApplication, clientID: String?, defaultName: String?
  ) throws(TesseraError) {
    var request = account.request
    request.signedInOnly = signedInOnly && clientID != nil
    request.includesClaims = claims
    let accounts = try app.accounts(request)
    let signIns = try StoredSignIn.all(of: accounts, in: app, clientID: clientID)
    func isDefault(_ account: Account) -> Bool {
      defaultName != nil && account.username?.lowercased() == defaultName?.lowercased()
    }
    if application.json {
      return Output.printLine(
        .object([
          "accounts": .array(accounts.map { .document($0.jsonDocument) }),
          "sign_ins": .array(signIns.map { $0.document(isDefault: isDefault($0.account)) }),
        ]))
    }
    if signIns.isEmpty {
      let isFiltered = account.request != AccountsRequest()
      Output.printError(isFiltered ? account.noMatchMessage : Accounts.emptyListMessage)
    }
    Output.report(
      rows: signIns.map { signIn in
        [
          "\(isDefault(signIn.account) ? "*" : " ") \(signIn.account.username ?? "(no name)")",
          signIn.validity, signIn.provider, "client \(signIn.clientID)",
          signIn.account.homeAccountID,
        ]
      })
  }

  private func printCurrent() throws {
    try Output.run(application) { app in
      let found = try app.application.currentAccount()
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
  private static let emptyListMessage = "No account is signed in. Run \"tessera login\"."

  /// Returns the columns of an account: its user name and its home account ID.
  private static func row(_ account: Account) -> [String] {
    [account.username ?? "(no name)", account.homeAccountID]
  }
}
