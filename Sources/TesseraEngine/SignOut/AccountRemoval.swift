// SPDX-License-Identifier: MIT
// The removal of an account from the store, without the provider.

import TesseraCache
import TesseraWire

/// The removal of an account of the application from the store.
struct AccountRemoval {
  private let context: FlowContext
  private let limits: CallLimits
  private let directory: AccountDirectory

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
    directory = AccountDirectory(context, within: limits)
  }

  /// Removes an account.
  ///
  /// - Returns: Whether the account was signed in.
  func remove(_ listed: Account) throws(TesseraError) -> Bool {
    let account = try directory.current(listed)
    let known = try directory.list().accounts.contains {
      $0.homeAccountID == account.homeAccountID
        && AccountKey.isSameCloud($0.environment, account.environment)
        && (!account.homeAccountID.isEmpty || $0.username == account.username)
    }
    let signOut = CacheChange.SignOut(
      of: account, at: context.configuration.clientID,
      legacyNames: try directory.legacyNames(of: account))
    try context.cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: limits)
    return known
  }

  /// Removes the account that matches a request.
  ///
  /// - Returns: Whether the account was signed in.
  func remove(_ request: AccountsRequest) throws(TesseraError) -> Bool {
    try request.check()
    let found = try directory.list().accounts.filter(request.matches)
    // An account that does not exist is not an error: the call is idempotent.
    guard !found.isEmpty else { return false }
    return try remove(directory.onlyAccount(of: found))
  }
}
