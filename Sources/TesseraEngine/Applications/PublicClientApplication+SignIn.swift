// SPDX-License-Identifier: MIT
// Signing in on the provider's page: in one call, or in two between which the host shows the page itself.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// Signs a person in in a browser (authorization code flow with PKCE).
  ///
  /// Always shows the person something. Call ``acquireTokenSilent(_:cancellation:)`` first, and this when its error has
  /// the remedy ``Remedy/signIn``, with the error's claims; or say ``InteractiveRequest/triesSilentFirst``, which is both.
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameters:
  ///   - request: the scopes to ask for, and who is to sign in.
  ///   - cancellation: stops the call from another thread; nil for none.
  ///   - prompt: is told the address of the page; called on the calling thread, before the browser is opened. Where
  ///     there is no browser, it shows the address.
  /// - Throws: ``TesseraError``; `cancelled` with code `access_denied` when the person declined or closed the page,
  ///   `signIn` with code `account_mismatch` when somebody else signed in than was asked for, `fixConfiguration` with
  ///   code `browser_unavailable` where there is no browser.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func acquireTokenInteractive(
    _ request: InteractiveRequest, cancellation: Cancellation?,
    prompt: ((SignInPrompt) -> Void)? = nil
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    var request = request
    let limits = limits(request.timeoutMilliseconds, cancellation)
    if let result = try tokenWithoutPerson(&request, within: limits) { return result }
    return try InteractiveFlow(self, request, within: limits).run(prompt)
  }

  /// Begins a sign-in whose page the host opens itself, in a browser, a web view or on another screen.
  ///
  /// Keep ``BegunSignIn/state``; when the redirect URI is opened, pass it with what came to
  /// ``completeSignIn(_:cancellation:)``, in this or another process that shares the store.
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameter cancellation: stops the call from another thread; nil for none.
  /// - Throws: ``TesseraError``; `fixStorage` or `retryLater` when the store cannot keep the sign-in, `fixConfiguration` with
  ///   code `flow_unsupported` for a page where ``ApplicationConfiguration/broker`` is ``BrokerPolicy/require``.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func beginSignIn(
    _ request: InteractiveRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> BegunSignIn {
    try HostDrivenFlow(self, request.timeoutMilliseconds, cancellation).begin(request)
  }

  /// Completes a sign-in that was begun, with what came to the redirect URI.
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameter cancellation: stops the call from another thread; nil for none.
  /// - Throws: ``TesseraError``; `fixRequest` with code `state_mismatch` for the answer to another sign-in, which leaves
  ///   this one waiting; `signIn` with code `sign_in_used` or `sign_in_expired`; what the provider's page said.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func completeSignIn(
    _ completion: RedirectResponse, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    try HostDrivenFlow(self, completion.timeoutMilliseconds, cancellation).complete(completion)
  }
}

extension PublicClientApplication {
  /// Stores what a sign-in brought, and forgets what failed before it.
  func store(_ signIn: CompletedSignIn) throws(TesseraError) -> TokenResult {
    let authority = signIn.authority
    let receipt = configuration.protecting(signIn.receipt, from: authority.authority)
    let account = receipt.identity.homeAccountID
    var change = receipt.change(
      from: authority, requested: signIn.requested,
      isInstanceAware: configuration.supportsMultipleClouds)
    if !signIn.keepsAccessToken { change.omitAccessTokens() }
    if signIn.answersChallenge {
      change.steps.insert(
        .forgetAccessTokens(
          homeAccountID: account, clientID: configuration.clientID,
          environment: authority.environment), at: 0)
    }
    // What failed before the sign-in need not fail any more.
    throttles.forget(account)
    change.steps.append(
      .forgetThrottles(homeAccountID: account, clientID: configuration.clientID, names: nil))
    surroundings.log.write(.information, "Signed in: \(MaskedName(receipt.account.username))")
    do throws(TesseraError) {
      var result = try store(change, receipt, from: authority, signIn.scopes, nil)
      if !signIn.keepsAccessToken { result.isPersisted = false }
      if signIn.requestsRefreshToken, receipt.response.refreshToken == nil {
        result.warnAboutMissingRefreshToken(authority.authority)
      }
      return result
    } catch {
      var error = error
      if !signIn.keepsAccessToken { error.result?.isPersisted = false }
      throw error
    }
  }
}

extension CacheChange {
  /// Leaves out what would store an access token.
  mutating func omitAccessTokens() {
    steps.removeAll { if case .replaceAccessToken = $0 { true } else { false } }
  }
}
