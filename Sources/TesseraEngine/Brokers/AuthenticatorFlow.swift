// SPDX-License-Identifier: MIT
// Sign-in with Microsoft Authenticator: the host application opens its address and passes on the redirect.

import TesseraCache
import TesseraWire

/// Begins and completes a sign-in with Microsoft Authenticator.
struct AuthenticatorFlow {
  private let application: PublicClientApplication
  private let limits: CallLimits

  init(_ application: PublicClientApplication, _ limits: CallLimits) {
    self.application = application
    self.limits = limits
  }

  private var surroundings: Dependencies { application.surroundings }
  private var pendingSignIns: KeptSignIns { KeptSignIns(application, limits) }

  private func exchange(_ correlationID: String?) -> ServerClient {
    ServerClient(surroundings, limits: limits, correlationID: correlationID).identified()
  }

  /// Begins a sign-in: creates the address, and encrypts the state that is required to read the response.
  func begin(
    _ request: InteractiveRequest, _ options: AuthenticatorOptions
  ) throws(TesseraError) -> BegunSignIn {
    try AuthenticatorRules.check(
      request, options, at: application.authority(named: request.authority),
      application.redirectURI, bundleID: application.configuration.bundleID)
    let flow = AuthorizationFlow(application, exchange(request.correlationID))
    let beginning = try flow.begin(request)
    guard let seal = try pendingSignIns.seal(),
      let key = AuthenticatorKey(surroundings.randomness.bytes(AuthenticatorKey.byteCount))
    else { throw .unknownStateError }
    let pending = pending(beginning, options, key, flow.exchange.correlationID)
    var message = message(of: beginning, for: pending, key)
    message.applicationToken = try pendingSignIns.applicationToken()
    message.options = options.completed(by: application.configuration.intune)
    let link = AuthenticatorLink(redirectURI: pending.responseURI)
    let address = try TesseraError.wrapping { () throws(WireError) in
      try message.address(over: link)
    }
    let nonce = surroundings.randomness.bytes(12)
    guard let state = seal.seal(pending.json, as: .authenticator, nonce: nonce) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "The request is too long for state: shorten scopes or claims.")
    }
    return BegunSignIn(
      url: address, state: state, expiresAt: pending.expiresAt, redirectURI: pending.responseURI)
  }

  private func pending(
    _ beginning: AuthorizationFlow.PreparedRequest, _ options: AuthenticatorOptions,
    _ key: AuthenticatorKey, _ correlationID: String
  ) -> PendingAuthenticatorSignIn {
    let (request, random) = (beginning.request, surroundings.randomness)
    return PendingAuthenticatorSignIn(
      id: Base64URL.encode(random.bytes(16)), authority: beginning.authority.authority.text,
      issuer: beginning.authority.configuration.issuer, redirectURI: application.redirectURI.text,
      responseURI: options.brokerRedirectURI?.nonBlank ?? application.redirectURI.text,
      nonce: Secret(random.uuid().uppercased()), key: key, scopes: beginning.scopes,
      claims: request.claims, account: request.acceptsOtherAccount ? nil : beginning.account,
      correlationID: correlationID,
      expiresAt: surroundings.time.now.adding(seconds: request.lifetimeSeconds))
  }

  private func message(
    of beginning: AuthorizationFlow.PreparedRequest, for pending: PendingAuthenticatorSignIn,
    _ key: AuthenticatorKey
  ) -> AuthenticatorRequest {
    let (request, configuration) = (beginning.request, application.configuration)
    var message = AuthenticatorRequest(
      authority: pending.authority, clientID: configuration.clientID,
      redirectURI: pending.redirectURI, correlationID: pending.correlationID,
      scopes: pending.scopes, key: key, nonce: pending.nonce)
    message.clientVersion = Version.text
    message.extraConsentScopes = Scopes(request.extraScopesToConsent)
    message.homeAccountID = beginning.account?.homeAccountID
    message.username = beginning.account?.username
    message.loginHint = request.loginHint
    message.prompt = beginning.plan.prompt
    message.claims = ClaimsRequest.parameter(request.claims, capabilities: [])
    message.clientCapabilities = configuration.sortedCapabilities
    message.extraQuery = beginning.extras.query
    if let domain = request.domainHint?.nonBlank { message.domainHint = domain }
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
    let exchange = exchange(pending.correlationID)
    let authority = try application.resolver.resolve(
      application.authority(named: pending.authority), exchange)
    guard authority.configuration.issuer == pending.issuer else { throw .unknownStateError }
    let receipt = try AuthenticatorReceipt(
      application, exchange, pending, authority, AuthenticatorResult(fields))
    return try pendingSignIns.withLock(with: pending.id) { () throws(TesseraError) in
      try pendingSignIns.use(pending.id, until: pending.expiresAt)
      return try receipt.storeTokens()
    }
  }

  /// Returns the pending sign-in of a state.
  ///
  /// - Throws: `brokerStateMissing` if this application did not begin it with this store; `brokerStateInvalid` for a state
  ///   of another version or redirect URI.
  private func pending(
    _ completion: RedirectResponse
  ) throws(TesseraError) -> PendingAuthenticatorSignIn {
    guard let json = try pendingSignIns.open(completion.state, as: .authenticator) else {
      throw .unknownStateError
    }
    guard let pending = PendingAuthenticatorSignIn(json),
      pending.redirectURI == application.redirectURI.text
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
    guard case .address(let address) = completion.answer else {
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
    guard surroundings.time.now < pending.expiresAt else {
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
      state was modified, or it does not belong to a sign-in with a broker that this application began with this \
      authority. Pass state exactly as it was returned.
      """)
  }
}
