// SPDX-License-Identifier: MIT
// Listing, finding and removing accounts, without network access.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// Returns the accounts with tokens that this application can use.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` if the store could not be read.
  public func accounts(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [Account] {
    try accountList(within: startedLimits(timeout, cancellation)).accounts
  }

  /// Returns the accounts that match a request.
  ///
  /// - Parameters:
  ///   - request: The conditions that an account must meet.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `fixRequest` for an empty member; otherwise as ``accounts(timeout:cancellation:)``.
  public func accounts(
    _ request: AccountsRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [Account] {
    try accounts(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns the one account that matches a request.
  ///
  /// - Parameters:
  ///   - request: The conditions that the account must meet.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `signIn` with code `account_not_found` if no account matches. `fixRequest` with code `ambiguous_account` if
  ///   several accounts match; ``TesseraError/accounts`` lists them.
  public func account(
    _ request: AccountsRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    try account(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns the account with an identifier.
  ///
  /// - Parameters:
  ///   - homeAccountID: The ``Account/homeAccountID``.
  ///   - environment: The account's ``Account/environment``. Set it if several providers use the same identifier.
  ///   - timeout: As for ``accounts(timeout:cancellation:)``.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: As ``account(_:cancellation:)``.
  public func account(
    homeAccountID: String, environment: String? = nil, timeout: Duration? = nil,
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.homeAccountID = homeAccountID
    request.environment = environment
    request.timeout = timeout
    return try account(request, cancellation: cancellation)
  }

  /// Returns the account with a username, in any tenant.
  ///
  /// The comparison ignores case.
  ///
  /// - Parameters:
  ///   - username: The user name.
  ///   - environment: The account's ``Account/environment``. Set it if several providers have a user with this name.
  ///   - timeout: As for ``accounts(timeout:cancellation:)``.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: As ``account(_:cancellation:)``.
  public func account(
    username: String, environment: String? = nil, timeout: Duration? = nil,
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.username = username
    request.environment = environment
    request.timeout = timeout
    return try account(request, cancellation: cancellation)
  }

  /// Removes an account: deletes its tokens for this application from the store, which affects all processes.
  ///
  /// Other applications keep their tokens, and the user stays signed in in the browser.
  ///
  /// - Parameters:
  ///   - account: The account to remove.
  ///   - timeout: The maximum total time to wait for another process that holds the store; `nil` for ten
  ///     seconds for each access.
  ///   - cancellation: Cancels the call from another thread.
  /// - Returns: Whether the account was signed in.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` if the store could not be written. Then nothing is
  ///   removed.
  @discardableResult
  public func removeAccount(
    _ account: Account, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Bool {
    try AccountRemoval(context, within: startedLimits(timeout, cancellation)).remove(account)
  }

  /// Signs a user out of this application or of all applications that share the store, or empties the store.
  ///
  /// Local tokens are removed first, regardless of the network. A later silent call requires a new sign-in.
  ///
  /// - Parameters:
  ///   - request: The account, the scope of the sign-out, and the requests to send to the provider.
  ///   - cancellation: Cancels the call from another thread, before the tokens are removed or during the requests to the
  ///     provider.
  /// - Returns: A report of the removed and the remaining tokens.
  /// - Throws: ``TesseraError`` as ``removeAccount(_:timeout:cancellation:)`` and ``account(_:cancellation:)``. Then nothing is removed.
  public func signOut(
    _ request: SignOutRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> SignOutReport {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return try SignOutFlow(context, request, cancellation).run()
  }

  /// The cached list of accounts, unless a sign-in or sign-out has changed it.
  package var cachedAccounts: CachedAccountList? { context.results.accounts }

  /// Returns the accounts, with the state needed to list them incrementally.
  package func accountList(within limits: CallLimits) throws(TesseraError) -> CachedAccountList {
    try directory(within: limits).list()
  }

  /// Returns the one account that matches a request, within the limits of a call.
  package func account(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    try directory(within: limits).account(request)
  }

  /// Returns the accounts that match a request, within the limits of a call.
  package func accounts(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> [Account] {
    try directory(within: limits).accounts(request)
  }

  /// Removes the account with an identifier; see ``removeAccount(_:timeout:cancellation:)``.
  ///
  /// - Parameters:
  ///   - username: The user name, which identifies the account if the identifier is empty.
  ///   - environment: The account's environment, for an identifier that several providers use.
  @discardableResult
  package func removeAccount(
    homeAccountID: String, username: String?, environment: String?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    var request = AccountsRequest(named: homeAccountID, or: username)
    request.environment = environment
    return try AccountRemoval(context, within: limits).remove(request)
  }

  private func directory(within limits: CallLimits) -> AccountDirectory {
    AccountDirectory(context, within: limits)
  }
}
