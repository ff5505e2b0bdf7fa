// SPDX-License-Identifier: MIT
// Sign-in on the provider's page: in one call, or in two calls around a page that the host application opens.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
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
  /// Keep ``BegunSignIn/state``. When the redirect URI is opened, pass the state and the response to
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
  ) throws(TesseraError) -> BegunSignIn {
    try HostDrivenFlow(context, request.options.timeout, cancellation).begin(request)
  }

  /// Completes a begun sign-in with the response received at the redirect URI.
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
}
