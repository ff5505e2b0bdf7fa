// SPDX-License-Identifier: MIT
// A token for the account with a user name, or for the only account.

import TesseraWire

extension PublicClientApplication {
  /// Returns a token without user interaction.
  ///
  /// - Parameters:
  ///   - scope: The requested scopes, separated by spaces.
  ///   - username: The user name of the account; `nil` for the only account that is signed in.
  /// - Throws: As ``account(_:cancellation:)`` and ``acquireTokenSilent(_:cancellation:)``.
  package func token(
    scope: String, username: String?, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    var wanted = AccountsRequest()
    wanted.username = username
    try limits.check(dependencies.time)
    let account = try namedAccount(wanted, within: limits)
    let request = SilentRequest(account: account, scopes: Scopes(parsing: scope).list)
    return try silentResult(to: request, within: limits).result
  }

  private func namedAccount(
    _ wanted: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    do throws(TesseraError) {
      return try account(wanted, within: limits)
    } catch {
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
