// SPDX-License-Identifier: MIT
// A sign-in driven by the host application. Any process with the same store can complete it, once.

import TesseraCache
import TesseraWire

/// An interactive sign-in whose authorization URL the host application opens.
struct HostDrivenFlow {
  private let context: FlowContext
  private let limits: CallLimits

  init(
    _ context: FlowContext, _ timeout: Duration?,
    _ cancellation: Cancellation?
  ) {
    self.context = context
    limits = CallLimits(
      timeout: timeout, cancellation: cancellation,
      time: context.dependencies.time)
  }

  private var dependencies: Dependencies { context.dependencies }

  private var pendingStore: PendingAuthorizationStore { PendingAuthorizationStore(context, limits) }

  private func flow(
    _ correlationID: String?, _ account: String?, _ trace: TraceContext? = nil
  ) -> AuthorizationFlow {
    var serverClient = ServerClient(dependencies, limits: limits, correlationID: correlationID)
      .identified()
    serverClient.homeAccountID = account
    serverClient.traceContext = trace
    return AuthorizationFlow(context, serverClient)
  }

  /// Returns the sign-ins with Microsoft Authenticator.
  private func authenticator() throws(TesseraError) -> any AuthenticatorSignIn {
    guard let authenticator = dependencies.feature((any AuthenticatorSignIn).self) else {
      throw MissingFeature.apple.error
    }
    return authenticator
  }

  /// Begins a sign-in, and records the metrics of the call.
  func begin(_ request: SignInRequest) throws(TesseraError) -> SignInSession {
    try context.metrics.measure(.beginSignIn) { () throws(TesseraError) in try session(request) }
  }

  /// Builds the authorization URL, and encrypts the pending sign-in into the state.
  private func session(_ request: SignInRequest) throws(TesseraError) -> SignInSession {
    if request.authenticator == nil { try context.checkBroker("begin_sign_in") }
    if request.delivery == .system { try context.checkDelivery(nil) }
    if let options = request.authenticator {
      return try authenticator().begin(request, options, context, limits)
    }
    let options = request.options
    let flow = flow(options.correlationID, options.homeAccountID, try options.traceContext())
    let (page, pending, _) = try flow.begin(request)
    guard let seal = try pendingStore.seal() else { throw .unknownState }
    guard let state = seal.seal(pending, nonce: dependencies.randomness.bytes(12)) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "The request is too long for state: remove some of extra_token_parameters.")
    }
    return SignInSession(
      url: page.address, state: state, expiresOn: pending.expiresAt,
      redirectURI: pending.redirectURI)
  }

  /// Completes a sign-in, and records the metrics of the call.
  func complete(_ completion: RedirectResponse) throws(TesseraError) -> TokenResult {
    try context.metrics.measure(.completeSignIn, token: { $0 }) { () throws(TesseraError) in
      try token(completion)
    }
  }

  /// Completes a sign-in.
  ///
  /// The code is sent to the authority of the state, whatever the authority of the application, because a request may name
  /// its own. A response that does not match the sign-in is rejected, and the sign-in remains pending.
  private func token(_ completion: RedirectResponse) throws(TesseraError) -> TokenResult {
    try limits.check(dependencies.time)
    try dependencies.stack.check(.credential)
    if StateSealer.Kind(of: completion.state) == .authenticator {
      return try authenticator().complete(completion, context, limits)
    }
    try context.checkBroker("complete_sign_in")
    let pending = try pending(completion)
    let flow = flow(pending.correlationID, pending.homeAccountID)
    let authority = try context.resolver.resolve(
      context.authority(named: pending.authority), flow.serverClient)
    guard authority.configuration.issuer == pending.issuer else { throw .unknownState }
    let response = try TesseraError.wrapping { () throws(WireError) in
      try AuthorizationResponse(completion.response, to: pending.expectation(of: authority))
    }
    return try pendingStore.withLock(with: pending.id) { () throws(TesseraError) in
      let authorities = try flow.prepare(response, at: authority)
      try pendingStore.use(pending.id, until: pending.expiresAt)
      do throws(TesseraError) {
        return try flow.redeem(response, of: pending, at: authorities)
      } catch {
        guard error.isUnsent || error.isRetryable else { throw error.afterSendingCode }
        // The code was not sent, or the same response may be accepted later: the sign-in remains pending.
        pendingStore.release(pending.id)
        throw error
      }
    }
  }

  /// Returns the pending sign-in of a state.
  ///
  /// - Throws: `invalidSignInState`, `stateMismatch` or `signInExpired` if the response does not complete a pending
  ///   sign-in of this application.
  private func pending(_ completion: RedirectResponse) throws(TesseraError) -> PendingAuthorization
  {
    guard
      let pending = try pendingStore.open(completion.state, as: .page).flatMap({
        PendingAuthorization($0)
      }),
      pending.clientID == context.configuration.clientID,
      pending.redirectURI == context.redirectURI.text
    else { throw .unknownState }
    let authenticator = dependencies.feature((any AuthenticatorSignIn).self)
    if let requirement = authenticator?.deviceRequirement(in: completion, at: pending.redirectURI) {
      throw requirement
    }
    guard AuthorizationResponse.matchesState(completion.response, to: pending.secrets.state),
      completion.sourceApplication.map({ pending.sourceApplication ?? $0 == $0 }) ?? true
    else {
      throw TesseraError(
        .fixRequest, .stateMismatch,
        "The state parameter does not match this sign-in, which remains pending.")
    }
    guard dependencies.time.now < pending.expiresAt else {
      throw TesseraError(
        .signIn, .signInExpired, "The sign-in was started too long ago: start it again.")
    }
    return pending
  }
}

extension TesseraError {
  fileprivate static var unknownState: TesseraError {
    TesseraError(
      .fixRequest, .invalidSignInState,
      """
      state was modified, or it does not belong to a sign-in that this application began with this redirect_uri. \
      Pass state exactly as it was returned.
      """)
  }

  /// The error, with the advice to begin again if the call ended while the server may have been redeeming the code.
  fileprivate var afterSendingCode: TesseraError {
    guard code == .cancelled || code == .deadlineExceeded else { return self }
    var error = self
    error.message =
      "The call \(code == .deadlineExceeded ? "timed out" : "was cancelled") after the authorization code was sent. "
      + "A code can be sent only once: begin the sign-in again."
    return error
  }
}
