// SPDX-License-Identifier: MIT
// The options that select an account, common to all subcommands that need one.

import ArgumentParser
import Tessera

/// The options that select an account.
struct AccountOptions: ParsableArguments {
  @Option(help: "The user name of the account. \"tessera use\" sets the default one.")
  var username: String?

  @Option(help: ArgumentHelp("The home account ID of the account.", visibility: .hidden))
  var homeAccountID: String?

  @Option(
    help: ArgumentHelp(
      "The ID of the account in a tenant (local account ID).", visibility: .hidden))
  var localAccountID: String?

  @Option(
    help: ArgumentHelp(
      "The environment of the account: a host of its cloud, or the issuer without its scheme.",
      visibility: .hidden))
  var environment: String?

  /// The account filter that the options specify.
  var request: AccountsRequest {
    var request = AccountsRequest()
    request.username = username
    request.homeAccountID = homeAccountID
    request.localAccountID = localAccountID
    request.environment = environment
    return request
  }

  /// Returns the selected account; without options, the default account of the profile or the only account.
  ///
  /// - Throws: `ambiguousAccount` if several accounts match, or the reason why none does.
  func account(of app: ConfiguredApplication) throws(TesseraError) -> Account {
    var options = self
    if request == AccountsRequest() { options.username = app.settings.username.value }
    return try options.account(of: app.application)
  }

  private func account(of application: PublicClientApplication) throws(TesseraError) -> Account {
    let accounts = try application.accounts(request)
    if let account = accounts.first, accounts.count == 1 { return account }
    guard accounts.isEmpty else {
      let list = AccountList(accounts)
      let start = request == AccountsRequest() ? "Signed in" : "Several accounts match"
      var error = TesseraError(
        .fixRequest, .ambiguousAccount,
        "\(start): \(list.text). Choose one with \(list.option)\(list.useHint).")
      error.accounts = accounts
      throw error
    }
    throw try noMatchError(in: application)
  }

  /// Returns the reason why no account matches: the store is missing, is empty, or has no such account.
  private func noMatchError(
    in application: PublicClientApplication
  ) throws(TesseraError) -> TesseraError {
    switch application.storeInfo().state {
    case .missing:
      return TesseraError(
        .signIn, .storeMissing, "The token store does not exist: no user has signed in yet.")
    case .empty: return TesseraError(.signIn, .storeEmpty, "No account is signed in.")
    default:
      let others = AccountList(try application.accounts(AccountsRequest()))
      return TesseraError(
        .signIn, .accountNotFound,
        "\(noMatchMessage)\(others.accounts.isEmpty ? "" : " Signed in: \(others.text).")")
    }
  }

  /// The message for options that match no account.
  var noMatchMessage: String {
    let host = environment.map { " at \($0)" } ?? ""
    guard let name = username ?? homeAccountID ?? localAccountID else {
      return "No account\(host) is signed in."
    }
    return "\(name)\(host) is not signed in."
  }
}
