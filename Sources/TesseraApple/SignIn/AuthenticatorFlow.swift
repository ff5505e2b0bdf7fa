// SPDX-License-Identifier: MIT
// Sign-in with Microsoft Authenticator: the host application opens its address and passes on the redirect.

import TesseraCache
import TesseraEngine
import TesseraWire

/// Begins and completes a sign-in with Microsoft Authenticator.
struct AuthenticatorFlow {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, _ limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  private var dependencies: Dependencies { context.dependencies }
  private var pendingStore: PendingAuthorizationStore { PendingAuthorizationStore(context, limits) }

  private func serverClient(_ correlationID: String?) -> ServerClient {
    ServerClient(dependencies, limits: limits, correlationID: correlationID).identified()
  }

  /// Begins a sign-in: creates the address, and encrypts the state that is required to read the response.
  func begin(
    _ request: SignInRequest, _ options: AuthenticatorOptions
  ) throws(TesseraError) -> SignInSession {
    try AuthenticatorRules.check(
      request.options, options, at: context.authority(named: request.options.authority),
      context.redirectURI, bundleID: context.configuration.bundleID)
    let flow = AuthorizationFlow(context, serverClient(request.options.correlationID))
    let (page, authorization, _) = try flow.begin(request)
    guard let seal = try pendingStore.seal(),
      let key = AuthenticatorKey(dependencies.randomness.bytes(AuthenticatorKey.byteCount))
    else { throw .unknownStateError }
    let pending = pending(authorization, options, key)
    var message = message(request.options, page, for: pending, key)
    message.username = authorization.username
    message.applicationToken = try pendingStore.applicationToken()
    message.options = options.completed(by: context.configuration.intune)
    let link = AuthenticatorLink(redirectURI: pending.responseURI)
    let address = try TesseraError.wrapping { () throws(WireError) in
      try message.address(over: link)
    }
    let nonce = dependencies.randomness.bytes(12)
    guard let state = seal.seal(pending.json, as: .authenticator, nonce: nonce) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "The request is too long for state: shorten scopes or claims.")
    }
    return SignInSession(
      url: address, state: state, expiresOn: pending.expiresAt, redirectURI: pending.responseURI)
  }

  private func pending(
    _ pending: PendingAuthorization, _ options: AuthenticatorOptions, _ key: AuthenticatorKey
  ) -> PendingAuthenticatorSignIn {
    PendingAuthenticatorSignIn(
      id: pending.id, authority: pending.authority, issuer: pending.issuer,
      redirectURI: pending.redirectURI,
      responseURI: options.brokerRedirectURI?.nonBlank ?? pending.redirectURI,
      nonce: Secret(dependencies.randomness.uuid().uppercased()), key: key, scopes: pending.scopes,
      claims: pending.claims, account: pending.account, correlationID: pending.correlationID,
      expiresAt: pending.expiresAt)
  }

  private func message(
    _ options: AuthorizationOptions, _ page: AuthorizationRequest,
    for pending: PendingAuthenticatorSignIn, _ key: AuthenticatorKey
  ) -> AuthenticatorRequest {
    let configuration = context.configuration
    var message = AuthenticatorRequest(
      authority: pending.authority, clientID: configuration.clientID,
      redirectURI: pending.redirectURI, correlationID: pending.correlationID,
      scopes: pending.scopes, key: key, nonce: pending.nonce)
    message.clientVersion = TesseraVersion.text
    message.extraConsentScopes = Scopes(options.extraScopesToConsent)
    message.homeAccountID = page.homeAccountID
    message.loginHint = options.loginHint
    message.prompt = page.prompt
    message.claims = ClaimsRequest.parameter(options.claims, capabilities: [])
    message.clientCapabilities = configuration.sortedCapabilities
    message.extraQuery = page.extraQuery
    if let domain = page.domainHint { message.domainHint = domain }
    if let locales = page.uiLocales { message.uiLocales = locales }
    message.isInstanceAware = configuration.supportsMultipleClouds
    message.acceptsOtherAccount = options.acceptsOtherAccount
    return message
  }

  /// Completes a sign-in.
  ///
  /// A response that is not authenticated leaves the sign-in pending.
  func complete(_ completion: RedirectResponse) throws(TesseraError) -> TokenResult {
    let pending = try pending(completion)
    let fields = try fields(of: completion, to: pending)
    let serverClient = serverClient(pending.correlationID)
    let authority = try context.resolver.resolve(
      context.authority(named: pending.authority), serverClient)
    guard authority.configuration.issuer == pending.issuer else { throw .unknownStateError }
    let authenticatorCompletion = try AuthenticatorCompletion(
      context, serverClient, pending, authority, AuthenticatorResult(fields))
    return try pendingStore.withLock(with: pending.id) { () throws(TesseraError) in
      try pendingStore.use(pending.id, until: pending.expiresAt)
      return try authenticatorCompletion.storeTokens()
    }
  }

  /// Returns the pending sign-in of a state.
  ///
  /// - Throws: `brokerStateMissing` if this application did not begin it with this store; `brokerStateInvalid` for a state
  ///   of another version or redirect URI.
  private func pending(
    _ completion: RedirectResponse
  ) throws(TesseraError) -> PendingAuthenticatorSignIn {
    guard let json = try pendingStore.open(completion.state, as: .authenticator) else {
      throw .unknownStateError
    }
    guard let pending = PendingAuthenticatorSignIn(json),
      pending.redirectURI == context.redirectURI.text
    else {
      throw TesseraError(
        .fixRequest, .brokerStateInvalid,
        "state was created by another version or for another redirect_uri: start the sign-in again."
      )
    }
    return pending
  }

  private func fields(
    of completion: RedirectResponse, to pending: PendingAuthenticatorSignIn
  ) throws(TesseraError) -> AuthenticatorFields {
    guard case .address(let address) = completion.response else {
      throw TesseraError(
        .fixRequest, .invalidMember, "The response of a broker is a URL: pass it as url.")
    }
    if let prompt = completion.prompt(at: pending.responseURI) { throw TesseraError(prompt) }
    if let opener = completion.sourceApplication?.nonBlank,
      !AuthenticatorLink.brokers.contains(opener)
    {
      throw TesseraError(
        .fixRequest, .brokerStateMismatch,
        "The URL was opened by \(opener.plain(atMost: 100)), which is not a broker: ignore it. The sign-in remains pending."
      )
    }
    guard dependencies.time.now < pending.expiresAt else {
      throw TesseraError(
        .signIn, .signInExpired, "The sign-in was started too long ago: start it again.")
    }
    return try TesseraError.wrapping { () throws(WireError) in
      try AuthenticatorResponse(
        address,
        to: AuthenticatorExpectation(
          redirectURI: pending.responseURI, nonce: pending.nonce, key: pending.key)
      ).fields
    }
  }
}

extension TesseraError {
  fileprivate static var unknownStateError: TesseraError {
    TesseraError(
      .fixRequest, .brokerStateMissing,
      """
      state was modified, or it does not belong to a broker sign-in that this application began. Pass state exactly \
      as it was returned.
      """)
  }
}
