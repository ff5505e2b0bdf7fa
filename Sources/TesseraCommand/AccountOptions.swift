// SPDX-License-Identifier: MIT
// The options that select an account, common to all subcommands that need one.

import ArgumentParser
import Tessera
import TesseraEngine

/// The options that select an account.
struct AccountOptions: ParsableArguments {
  @Option(help: "The user name of the account.")
  var username: String?

  @Option(help: "The home account ID of the account.")
  var homeAccountID: String?

  @Option(help: "The ID of the account in a tenant (local account ID).")
  var localAccountID: String?

  @Option(
    help: "The environment of the account: a host of its cloud, or the issuer without its scheme.")
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

  /// Returns the selected account, or the only account without options.
  ///
  /// - Throws: `ambiguousAccount` if several accounts match, or the reason why none does.
  func account(of application: PublicClientApplication) throws(TesseraError) -> Account {
    let accounts = try application.accounts(request)
    if let account = accounts.first, accounts.count == 1 { return account }
    guard accounts.isEmpty else {
      var error = TesseraError(
        .fixRequest, .ambiguousAccount,
        "Several accounts fit: choose one with --username, --home-account-id or --environment.")
      error.accounts = accounts
      throw error
    }
    throw AccountOptions.noMatchError(in: application)
  }

  /// Returns the reason why no account matches: the store is missing, is empty, or has no such account.
  private static func noMatchError(in application: PublicClientApplication) -> TesseraError {
    switch application.storeInfo().state {
    case .missing:
      TesseraError(.signIn, .storeMissing, "There is no token store yet: nobody has signed in.")
    case .empty:
      TesseraError(.signIn, .storeEmpty, "The token store is empty: nobody is signed in.")
    default: TesseraError(.signIn, .accountNotFound, "Nobody like that has signed in.")
    }
  }
}
