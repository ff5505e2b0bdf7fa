// SPDX-License-Identifier: MIT
// The application object, for any number of authorities and accounts with one shared cache.

import TesseraCache
import TesseraWire

/// An OAuth 2.0 public client, which runs on the user's device and has no client secret (RFC 6749 section 2.1).
///
/// The initializer does no I/O. The object is thread-safe. Blocking calls do their work on the calling thread.
public final class PublicClientApplication: Sendable {
  /// The configuration of the application.
  public let configuration: ApplicationConfiguration
  /// The state that the calls of the application share.
  package let context: FlowContext
  // Copies of the context's values: reading them through `context` could retain it, and a cache hit of the C interface
  // must not change a reference count. `responses` is valid as long as `context`, which frees its memory.
  package let cache: CredentialCache
  package let responses: ResponseCache

  /// Creates an application with its dependencies.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  package init(
    _ configuration: ApplicationConfiguration, in dependencies: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    context = try FlowContext(configuration, in: dependencies)
    cache = context.cache
    responses = context.results.responses
  }

  /// Returns an access token without user interaction, from the cache or with a refresh token.
  ///
  /// Call this function before any interactive one. If it throws an error with remedy ``TesseraError/Remedy/signIn``,
  /// start an interactive flow such as ``acquireTokenByDeviceCode(_:cancellation:prompt:)``, and pass on the claims of the
  /// error.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The account and the requested scopes.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  /// - Returns: A token that is valid for at least ``ApplicationConfiguration/expiryMargin``, or for half of its
  ///   lifetime if that is less.
  /// - Throws: ``TesseraError`` with remedy `signIn`, `retryLater`, `fixRequest`, `fixConfiguration`, `fixStorage` or
  ///   `cancelled`.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenSilent(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if let result = cachedResult(request) { return result }
    return try SilentTokenCall(context, within: limits(request.timeout, cancellation)).run(request)
  }

  /// Signs in a user on another device: shows a code, and waits until the user has entered it there (RFC 8628).
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The requested scopes.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  ///   - prompt: Shows the code to the user; called once, on the calling thread.
  /// - Throws: ``TesseraError``; `signIn` with code `code_expired` if the user did not enter the code in time, `cancelled`
  ///   with code `access_denied` if the user declined, `fixConfiguration` with code `flow_unsupported` if
  ///   ``ApplicationConfiguration/broker`` is ``BrokerPolicy/require``.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, cancellation: Cancellation?,
    prompt: (DeviceCodePrompt) -> Void
  ) throws(TesseraError) -> TokenResult {
    try DeviceCodeFlow.run(context, request, cancellation, prompt)
  }
}

extension PublicClientApplication: CustomStringConvertible, CustomReflectable {
  /// The client ID and the authority.
  public var description: String {
    "PublicClientApplication(\(configuration.clientID), \(configuration.authority))"
  }

  /// A mirror with the configuration, because cached responses contain tokens.
  public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}

extension PublicClientApplication {
  package var dependencies: Dependencies { context.dependencies }

  /// Returns the cached result of an equal request; `nil` on a cache miss.
  package func cachedResult(_ request: SilentRequest) -> TokenResult? {
    context.results.result(for: request)?.result
  }

  /// Runs the silent flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  package func silentResult(
    to request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    try SilentTokenCall(context, within: limits).result(of: request)
  }

  /// Returns the limits of a call that starts now.
  package func limits(
    _ timeout: Duration?, _ cancellation: Cancellation? = nil
  ) -> CallLimits {
    CallLimits(
      timeout: timeout, cancellation: cancellation, time: dependencies.time)
  }

  /// Returns the limits of a call that starts now.
  ///
  /// - Throws: `cancelled` if the call is already cancelled.
  package func startedLimits(
    _ timeout: Duration?, _ cancellation: Cancellation?
  ) throws(TesseraError) -> CallLimits {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return limits(timeout, cancellation)
  }
}

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
    return try SignOutFlow.run(context, request, cancellation)
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

  /// Returns the only signed-in account, and the account that the previous call returned.
  ///
  /// Works offline. The current account is recorded in the store for the next call of any process. If the store cannot be
  /// written, the call still succeeds.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `fixRequest` with code `ambiguous_account` if several accounts are signed in; ``TesseraError/accounts``
  ///   lists them, and nothing is recorded. `fixStorage` or `retryLater` if the store could not be read.
  public func currentAccount(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CurrentAccount {
    try currentAccount(within: startedLimits(timeout, cancellation))
  }

  /// Returns the only signed-in account and the previous one, within the limits of a call.
  package func currentAccount(within limits: CallLimits) throws(TesseraError) -> CurrentAccount {
    try AccountDirectory(context, within: limits).currentAccount()
  }

  /// Signs in a user in a browser (authorization code flow with PKCE).
  ///
  /// The call always shows a page to the user. Call ``acquireTokenSilent(_:cancellation:)`` first. If its error has the
  /// remedy ``TesseraError/Remedy/signIn``, call this function with the claims of the error.
  /// ``InteractiveRequest/triesSilentFirst`` does both.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The requested scopes, and the account that is to sign in.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  ///   - prompt: Receives the address of the page; called on the calling thread before the browser is opened. If there is
  ///     no browser, it must show the address to the user.
  /// - Throws: ``TesseraError``; `cancelled` with code `access_denied` if the user declined or closed the page, `signIn`
  ///   with code `account_mismatch` if the user signed in with a different account than requested, `fixConfiguration` with
  ///   code `browser_unavailable` if there is no browser.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenInteractive(
    _ request: InteractiveRequest, cancellation: Cancellation?,
    prompt: ((SignInPrompt) -> Void)? = nil
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    var request = request
    let limits = limits(request.options.timeout, cancellation)
    if let result = try SilentAttempt(context, within: limits).run(&request) { return result }
    return try InteractiveFlow(context, request, within: limits).run(prompt)
  }

  /// Begins a sign-in.
  ///
  /// The host application opens the page in a browser, a web view or on another screen.
  ///
  /// Keep ``SignInSession/state``. When the redirect URI is opened, pass the state and the response to
  /// ``completeSignIn(_:cancellation:)``, in this or another process that shares the store.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameter cancellation: Cancels the call from another thread; `nil` for none.
  /// - Throws: ``TesseraError``; `fixStorage` or `retryLater` if the store cannot record the sign-in, `fixConfiguration`
  ///   with code `flow_unsupported` for a page if ``ApplicationConfiguration/broker`` is ``BrokerPolicy/require``.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func beginSignIn(
    _ request: SignInRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> SignInSession {
    try HostDrivenFlow(context, request.options.timeout, cancellation).begin(request)
  }

  /// Completes a sign-in with the response received at the redirect URI.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameter cancellation: Cancels the call from another thread; `nil` for none.
  /// - Throws: ``TesseraError``; `fixRequest` with code `state_mismatch` for the response to another sign-in, in which case
  ///   this sign-in remains pending; `signIn` with code `sign_in_used`, `sign_in_expired` or `sign_in_lost`; the error
  ///   reported by the provider.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func completeSignIn(
    _ completion: RedirectResponse, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    try HostDrivenFlow(context, completion.timeout, cancellation).complete(completion)
  }

  /// Returns the cached result for an interactive request that allows a silent attempt; `nil` on a cache miss.
  package func cachedResult(_ request: InteractiveRequest) -> TokenResult? {
    guard request.triesSilentFirst, let account = request.options.homeAccountID?.nonBlank else {
      return nil
    }
    return cachedResult(request.options.silent(account))
  }

  /// Returns a token without user interaction.
  ///
  /// - Parameters:
  ///   - scope: The requested scopes, separated by spaces.
  ///   - username: The user name of the account; `nil` for the only account that is signed in.
  /// - Throws: As ``account(_:cancellation:)`` and ``acquireTokenSilent(_:cancellation:)``.
  package func token(
    scope: String, username: String?, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    try NamedAccountCall(context, within: limits).token(scope: scope, username: username)
  }

  /// Explains the result that ``acquireTokenSilent(_:cancellation:)`` would have for a request now.
  ///
  /// Reads all tokens of the account in the store. It works offline and redeems nothing. The result is a snapshot: another
  /// process may store a token at any time.
  ///
  /// - Parameters:
  ///   - request: As for ``acquireTokenSilent(_:cancellation:)``. Its timeout limits the wait for a busy store.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``; `fixRequest` for an invalid request, `fixStorage` or `retryLater` if the store could not
  ///   be read. The error that the call itself would throw is in ``Explanation/error``.
  public func explain(
    _ request: SilentRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Explanation {
    try explain(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns a token without user interaction, with an explanation of how it was selected and timings.
  ///
  /// The same as ``acquireTokenSilent(_:cancellation:)``, but slower: the store is read by each call.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameter cancellation: Cancels the call from another thread; `nil` for none.
  /// - Returns: A token with its ``TokenResult/explanation``.
  /// - Throws: ``TesseraError``, as ``acquireTokenSilent(_:cancellation:)``.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenSilentExplained(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return try ExplanationFlow(context, request, within: limits(request.timeout, cancellation))
      .run()
  }

  /// Explains the result of a silent call, within the limits of a call.
  package func explain(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Explanation {
    try ExplanationFlow(context, request, within: limits).explain()
  }

  /// Returns the metrics of this application since its creation.
  ///
  /// Does no I/O. Each process has its own metrics.
  public func metrics() -> MetricsSnapshot { context.metricsSnapshot }

  /// Returns the state of the store: its location, its protection, and the key sources that were tried with their errors.
  ///
  /// Changes nothing and works offline. Waits at most ten seconds for another process that holds the store, and three
  /// seconds for each key source. ``StoreInfo/problem`` is the error that a call would throw.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for these times.
  ///   - cancellation: Cancels the waits from another thread. A cancelled wait is reported in ``StoreInfo/problem``.
  /// - Returns: The present store, or the one that the first sign-in would create.
  public func storeInfo(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) -> StoreInfo {
    storeInfo(within: limits(timeout, cancellation))
  }

  /// Returns the state of the store, within the limits of a call.
  package func storeInfo(within limits: CallLimits) -> StoreInfo {
    dependencies.store.info(configuration.store.policy, within: limits)
  }

  /// Checks whether a sign-in could be stored now.
  ///
  /// For applications that sign in only to store the tokens: they check before they ask the user for anything. The check
  /// creates the store if there is none. A damaged store passes the check, because storing the sign-in replaces it.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError`` with the reason why the store cannot be written.
  public func checkStoreIsWritable(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) {
    do throws(TesseraError) {
      try dependencies.store.checkWritable(within: startedLimits(timeout, cancellation))
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
  }

  /// Creates a new key for the store and re-encrypts every record with it.
  ///
  /// Works offline and is atomic.
  ///
  /// Applications that have the store open continue to work, unless they provide the key themselves. Key sources keep the
  /// old key, for copies of the store. See "Key rotation" in docs/protection.md.
  ///
  /// - Parameters:
  ///   - newKey: The new key, if the application provides it. Required if the store is encrypted with such a key. Rejected
  ///     if the application has no ``StoreConfiguration/SQLiteOptions/key``. Without it, a store encrypted with another key is
  ///     re-encrypted with the application's key.
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Returns: `false` if there is no store to encrypt, or if it remains unencrypted.
  /// - Throws: `fixRequest` if the new key is missing, not accepted or equal to the old one. `retryLater` if the store is
  ///   busy. `fixStorage` if the old key is unavailable, or if the new key would protect less (`encryption_unavailable`).
  @discardableResult
  public func rotateStoreKey(
    to newKey: StoreKey? = nil, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Bool {
    try rotateStoreKey(to: newKey, within: startedLimits(timeout, cancellation))
  }

  /// Rotates the key of the store, within the limits of a call.
  package func rotateStoreKey(
    to newKey: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    if let newKey {
      guard configuration.store.sqliteOptions.key != nil else { throw .newKeyNotWanted }
      guard newKey.isUsable else {
        throw TesseraError(
          .fixRequest, .invalidMember, "new_store_key must have \(StoreKey.byteCount) bytes.")
      }
    }
    return try dependencies.store.rotateKey(to: newKey, within: limits)
  }
}
