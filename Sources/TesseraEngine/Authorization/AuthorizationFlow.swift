// SPDX-License-Identifier: MIT
// The authorization code flow (RFC 6749 section 4.1): building the authorization URL and redeeming the code.

import TesseraCache
package import TesseraWire

/// The steps of an authorization code flow before and after the browser.
package struct AuthorizationFlow {
  let context: FlowContext
  let serverClient: ServerClient

  package init(_ context: FlowContext, _ serverClient: ServerClient) {
    self.context = context
    var serverClient = serverClient
    serverClient.telemetry = context.telemetry(of: .interactive)
    self.serverClient = serverClient
  }

  /// Begins a sign-in on a page that the host application opens.
  package func begin(
    _ request: SignInRequest
  ) throws(TesseraError) -> (AuthorizationRequest, PendingAuthorization, ResolvedAuthority) {
    try RequestRules.signIn(request)
    var (page, pending, authority) = try begin(request.options)
    pending.sourceApplication = request.sourceApplication
    pending.expiresAt = expiry(after: request.lifetime)
    return (page, pending, authority)
  }

  /// Checks the parameters of a sign-in, resolves its authority, and creates its request.
  ///
  /// If the browser receives the response at another redirect URI, set it in the request and in the pending authorization.
  ///
  /// - Throws: `flowUnsupported` if the authority has no authorization endpoint, or the error of an invalid request.
  package func begin(
    _ options: AuthorizationOptions
  ) throws(TesseraError) -> (AuthorizationRequest, PendingAuthorization, ResolvedAuthority) {
    let configuration = context.configuration
    let authority = try context.authority(named: options.authority)
    let scopes = try RequestRules.scopes(options.scopes, of: configuration.clientID, at: authority)
    try RequestRules.interactive(options, at: authority)
    let extras = try configuration.extras(
      options.extraTokenParameters, options.extraQueryParameters)
    try serverClient.limits.check(context.dependencies.time)
    let account = try accountConstraint(options, at: authority)
    let resolved = try context.resolver.resolve(authority, serverClient)
    guard let endpoint = resolved.configuration.authorizationEndpoint else {
      throw TesseraError(
        .fixConfiguration, .flowUnsupported,
        "\(authority.text) has no authorization endpoint: sign in with a device code.")
    }
    let offlineAccess = configuration.offlineAccess(at: authority, prompt: options.prompt)
    let random = context.dependencies.randomness.bytes
    let pending = PendingAuthorization(
      id: Base64URL.encode(random(16)), clientID: configuration.clientID,
      authority: authority.text, issuer: resolved.configuration.issuer,
      redirectURI: context.redirectURI.text, secrets: AuthorizationSecrets(random),
      scopes: scopes, requestsRefreshToken: offlineAccess.isRequested, claims: options.claims,
      extraTokenFields: options.extraTokenParameters,
      homeAccountID: options.acceptsOtherAccount ? nil : account?.homeAccountID,
      username: account?.username, correlationID: serverClient.correlationID,
      expiresAt: expiry(after: .seconds(3600)))
    let plan = AuthorizationPlan(options, scopes, account, offlineAccess)
    var request = request(of: pending, with: plan, options, at: authority, endpoint)
    request.extraQuery = extras.query
    return (request, pending, resolved)
  }

  private func expiry(after lifetime: Duration) -> Instant {
    context.dependencies.time.now.adding(seconds: lifetime.wholeSeconds)
  }

  /// Returns the authorization request of a sign-in.
  private func request(
    of pending: PendingAuthorization, with plan: AuthorizationPlan,
    _ options: AuthorizationOptions, at authority: Authority, _ endpoint: String
  ) -> AuthorizationRequest {
    var request = AuthorizationRequest(
      to: endpoint, clientID: pending.clientID, redirectURI: pending.redirectURI,
      scopes: plan.scopes, secrets: pending.secrets)
    request.responseMode =
      authority.isMicrosoft || options.responseMode != .query ? options.responseMode : nil
    request.prompt = plan.prompt
    request.loginHint = plan.loginHint
    request.domainHint = options.domainHint?.nonBlank
    request.uiLocales = options.uiLocales?.nonBlank
    request.homeAccountID = authority.isEntra ? plan.homeAccountID : nil
    request.claims = claims(options.claims)
    request.isInstanceAware =
      context.configuration.supportsMultipleClouds && authority.type == .entra
    request.requestsClientInfo = authority.isEntra
    request.correlationID = authority.isMicrosoft ? pending.correlationID : nil
    return request
  }

  /// Returns the claims of a request merged with the client capabilities of the application.
  private func claims(_ claims: String?) -> String? {
    ClaimsRequest.parameter(claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// Returns the constraint for the requested account, with its user name and sign-in state from the store.
  ///
  /// A store that cannot be read is ignored, because the sign-in repairs it. Returns `nil` if no account is requested.
  package func accountConstraint(
    _ request: AuthorizationOptions, at authority: Authority
  ) throws(TesseraError) -> AccountConstraint? {
    guard let id = request.homeAccountID?.nonBlank.map(authority.normalised) else { return nil }
    var selection = SnapshotSelection()
    selection.owner = id
    var account = AccountConstraint(homeAccountID: id)
    do throws(TesseraError) {
      let snapshot = try context.cache.snapshot(selection, within: serverClient.limits)
      account.username = snapshot.accounts.lazy.compactMap { $0.username?.nonBlank }.first
      let clientID = context.configuration.clientID
      account.isSignedOut = snapshot.signInStates(of: clientID)[id] == .signedOut
    } catch {
      guard error.remedy != .cancelled else { throw error }
    }
    return account
  }
}

extension AuthorizationFlow {
  /// Determines where to redeem the code of a response, and checks that the tokens can be stored.
  ///
  /// Does not send the code.
  func prepare(
    _ response: AuthorizationResponse, at authority: ResolvedAuthority
  ) throws(TesseraError) -> SignInAuthorities {
    guard case .code = response.content else { return (authority.authority, authority) }
    let issuingAuthority = try cloud(of: response, authority)
    try context.cache.checkWritableForSignIn(within: serverClient.limits)
    return (authority.authority, issuingAuthority)
  }

  /// Redeems the authorization code, validates the token response and stores the tokens.
  ///
  /// - Parameter authorities: The result of ``prepare(_:at:)``.
  /// - Throws: The error of the authorization response, or `accountMismatch` for tokens of a different account.
  func redeem(
    _ response: AuthorizationResponse, of pending: PendingAuthorization,
    at authorities: SignInAuthorities
  ) throws(TesseraError) -> TokenResult {
    switch response.content {
    case .errorResponse(let errorResponse):
      throw pending.error(
        TesseraError(errorResponse, correlationID: serverClient.correlationID),
        context.configuration,
        authorities.requested)
    case .code(let code):
      let redirectURI = response.redirectURI ?? pending.redirectURI
      let document = try tokens(
        code, redirectURI, pending, authorities.resolved, of: response.homeAccountID)
      return try receive(document, pending, authorities)
    }
  }

  private func tokens(
    _ code: Secret, _ redirectURI: String, _ pending: PendingAuthorization,
    _ authority: ResolvedAuthority, of homeAccountID: String?
  ) throws(TesseraError) -> ReceivedDocument {
    // RFC 6749 section 4.1.3 defines no scope parameter here. Entra issues the token for the scopes of this request.
    let scopes = pending.scopes.union(
      .added(requestingRefreshToken: pending.requestsRefreshToken))
    var request = TokenRequest(
      grant: .authorizationCode(
        code, redirectURI: redirectURI, verifier: pending.secrets.verifier),
      clientID: pending.clientID,
      scopes: authority.authority.isMicrosoft ? scopes : Scopes([]),
      claims: authority.authority.isMicrosoft ? claims(pending.claims) : nil,
      requestsClientInfo: authority.authority.isEntra)
    // As in MSAL for Apple, after an account switch on the page, only the response identifies the user.
    let isRequestedAccount = homeAccountID == nil || homeAccountID == pending.homeAccountID
    request.enrollmentID = context.configuration.enrollmentID(
      at: authority.authority, homeAccountID: homeAccountID ?? pending.homeAccountID,
      username: isRequestedAccount ? pending.username : nil)
    let outcome = try serverClient.redeem(
      request.adding(context.configuration.extras(pending.extraTokenFields, [:])),
      at: authority.configuration.tokenEndpoint, of: authority)
    switch outcome {
    case .success(let document): return document
    case .errorResponse(let errorResponse):
      throw TesseraError(ofCode: errorResponse, correlationID: serverClient.correlationID)
        .withAppProtectionDetails(authority.authority, homeAccountID)
    }
  }

  private func receive(
    _ document: ReceivedDocument, _ pending: PendingAuthorization,
    _ authority: SignInAuthorities
  ) throws(TesseraError) -> TokenResult {
    var expected = context.expectation(of: authority.resolved, pending.scopes)
    expected.nonce = pending.secrets.nonce
    let tokenRecords = try TokenResponseRecords(document, expected)
    try pending.account?.check(tokenRecords)
    return try context.storeSignIn(
      tokenRecords, at: authority, pending.scopes, answering: pending.claims,
      requestsRefreshToken: pending.requestsRefreshToken)
  }

  /// Returns the authority in the account's cloud, if Entra reports that the account belongs to a different cloud.
  ///
  /// Only known clouds are accepted, because the code and its verifier are sent there.
  private func cloud(
    of response: AuthorizationResponse, _ authority: ResolvedAuthority
  ) throws(TesseraError) -> ResolvedAuthority {
    guard context.configuration.supportsMultipleClouds,
      let other = authority.authority.inCloud(
        of: response.cloudHost, discovered: context.resolver.discoveredClouds),
      other != authority.authority
    else { return authority }
    return try context.resolver.resolve(other, serverClient)
  }
}
