// SPDX-License-Identifier: MIT
// Sign-in with Microsoft Authenticator: the host application opens its address and passes on the redirect.

import TesseraCache
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
  ) throws(TesseraError) -> BegunSignIn {
    try AuthenticatorRules.check(
      request.options, options, at: context.authority(named: request.options.authority),
      context.redirectURI, bundleID: context.configuration.bundleID)
    let flow = AuthorizationFlow(context, serverClient(request.options.correlationID))
    let prepared = try flow.begin(request)
    guard let seal = try pendingStore.seal(),
      let key = AuthenticatorKey(dependencies.randomness.bytes(AuthenticatorKey.byteCount))
    else { throw .unknownStateError }
    let pending = pending(prepared, options, key, flow.serverClient.correlationID)
    var message = message(of: prepared, for: pending, key)
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
    return BegunSignIn(
      url: address, state: state, expiresOn: pending.expiresAt, redirectURI: pending.responseURI)
  }

  private func pending(
    _ prepared: AuthorizationFlow.PreparedRequest, _ options: AuthenticatorOptions,
    _ key: AuthenticatorKey, _ correlationID: String
  ) -> PendingAuthenticatorSignIn {
    let (request, random) = (prepared.request, dependencies.randomness)
    return PendingAuthenticatorSignIn(
      id: Base64URL.encode(random.bytes(16)), authority: prepared.authority.authority.text,
      issuer: prepared.authority.configuration.issuer, redirectURI: context.redirectURI.text,
      responseURI: options.brokerRedirectURI?.nonBlank ?? context.redirectURI.text,
      nonce: Secret(random.uuid().uppercased()), key: key, scopes: prepared.scopes,
      claims: request.claims, account: request.acceptsOtherAccount ? nil : prepared.account,
      correlationID: correlationID,
      expiresAt: dependencies.time.now.adding(seconds: prepared.lifetime.wholeSeconds))
  }

  private func message(
    of prepared: AuthorizationFlow.PreparedRequest, for pending: PendingAuthenticatorSignIn,
    _ key: AuthenticatorKey
  ) -> AuthenticatorRequest {
    let (request, configuration) = (prepared.request, context.configuration)
    var message = AuthenticatorRequest(
      authority: pending.authority, clientID: configuration.clientID,
      redirectURI: pending.redirectURI, correlationID: pending.correlationID,
      scopes: pending.scopes, key: key, nonce: pending.nonce)
    message.clientVersion = TesseraVersion.text
    message.extraConsentScopes = Scopes(request.extraScopesToConsent)
    message.homeAccountID = prepared.account?.homeAccountID
    message.username = prepared.account?.username
    message.loginHint = request.loginHint
    message.prompt = prepared.plan.prompt
    message.claims = ClaimsRequest.parameter(request.claims, capabilities: [])
    message.clientCapabilities = configuration.sortedCapabilities
    message.extraQuery = prepared.extras.query
    if let domain = request.domainHint?.nonBlank { message.domainHint = domain }
    if let locales = request.uiLocales?.nonBlank { message.uiLocales = locales }
    message.isInstanceAware = configuration.supportsMultipleClouds
    message.acceptsOtherAccount = request.acceptsOtherAccount
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
