// SPDX-License-Identifier: MIT
// A token for the account with a user name, or for the only account.

import TesseraWire

/// A silent call for an account with a user name, or for the only account.
struct NamedAccountCall {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Returns a token for scopes separated by spaces.
  func token(scope: String, username: String?) throws(TesseraError) -> TokenResult {
    var wanted = AccountsRequest()
    wanted.username = username
    try limits.check(context.dependencies.time)
    let account = try namedAccount(wanted)
    let request = SilentRequest(account: account, scopes: Scopes(parsing: scope).list)
    return try SilentCall(context, within: limits).result(of: request).result
  }

  private func namedAccount(_ wanted: AccountsRequest) throws(TesseraError) -> Account {
    do throws(TesseraError) {
      return try AccountDirectory(context, within: limits).account(wanted)
    } catch {
      if error.code == .accountNotFound, wanted.username == nil { throw .noAccount() }
      guard error.code == .ambiguousAccount else { throw error }
      var ambiguous = error
      ambiguous.message =
        wanted.username == nil
        ? "Several accounts are signed in: pass the user name of one of accounts."
        : "Several accounts have this user name: acquire the token with the home_account_id and environment of one of accounts."
      throw ambiguous
    }
  }
}
