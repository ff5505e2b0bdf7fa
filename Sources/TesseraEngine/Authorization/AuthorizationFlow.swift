// SPDX-License-Identifier: MIT
// The authorization code flow (RFC 6749 section 4.1): building the authorization URL and redeeming the code.

import TesseraCache
import TesseraWire

/// The steps of an authorization code flow before and after the browser.
struct AuthorizationFlow {
  let context: FlowContext
  let serverClient: ServerClient

  init(_ context: FlowContext, _ serverClient: ServerClient) {
    self.context = context
    var serverClient = serverClient
    serverClient.telemetry = context.telemetry(of: .interactive)
    self.serverClient = serverClient
  }

  /// A checked request without an authorization URL, because the redirect URI may still get a port.
  struct PreparedRequest {
    let request: AuthorizationOptions
    let scopes: Scopes
    let plan: AuthorizationPlan
    let offlineAccess: OfflineAccess
    let authority: ResolvedAuthority
    let endpoint: String
    let account: AccountConstraint?
    let extras: ExtraParameters
    /// The time within which the sign-in must be completed.
    var lifetime = Duration.seconds(3600)
    /// The only application that may open the redirect URI; `nil` for any.
    var sourceApplication: String?
  }

  /// Checks a request and resolves its authority, for a sign-in on a page that the host application opens.
  func begin(_ request: SignInRequest) throws(TesseraError) -> PreparedRequest {
    try RequestRules.signIn(request)
    var prepared = try begin(request.options)
    prepared.lifetime = request.lifetime
    prepared.sourceApplication = request.sourceApplication
    return prepared
  }

  /// Checks a request and resolves its authority.
  ///
  /// - Throws: `flowUnsupported` if the authority has no authorization endpoint, or the error of an invalid request.
  func begin(_ request: AuthorizationOptions) throws(TesseraError) -> PreparedRequest {
    let clientID = context.configuration.clientID
    let authority = try context.authority(named: request.authority)
    let scopes = try RequestRules.scopes(request.scopes, of: clientID, at: authority)
    try RequestRules.interactive(request, at: authority)
    let extras = try context.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    try serverClient.limits.check(context.dependencies.time)
    let account = try accountConstraint(request, at: authority)
    let resolved = try context.resolver.resolve(authority, serverClient)
    guard let endpoint = resolved.configuration.authorizationEndpoint else {
      throw TesseraError(
        .fixConfiguration, .flowUnsupported,
        "\(authority.text) has no authorization endpoint: sign in with a device code.")
    }
    let offlineAccess = context.configuration.offlineAccess(
      at: authority, prompt: request.prompt)
    return PreparedRequest(
      request: request, scopes: scopes,
      plan: AuthorizationPlan(request, scopes, account, offlineAccess),
      offlineAccess: offlineAccess, authority: resolved, endpoint: endpoint, account: account,
      extras: extras)
  }

  /// Returns the pending sign-in and its authorization URL.
  func pendingAuthorization(
    for prepared: PreparedRequest, redirectURI: String
  ) -> (pending: PendingAuthorization, address: String) {
    let (request, plan) = (prepared.request, prepared.plan)
    let authority = prepared.authority.authority
    let configuration = context.configuration
    let dependencies = context.dependencies
    let secrets = AuthorizationSecrets(dependencies.randomness.bytes)
    var message = AuthorizationRequest(
      clientID: configuration.clientID, redirectURI: redirectURI, scopes: plan.scopes,
      secrets: secrets)
    message.responseMode =
      authority.isMicrosoft || request.responseMode != .query ? request.responseMode : nil
    message.prompt = plan.prompt
    message.loginHint = plan.loginHint
    message.domainHint = request.domainHint?.nonBlank
    message.uiLocales = request.uiLocales?.nonBlank
    message.homeAccountID = authority.isEntra ? plan.homeAccountID : nil
    message.claims = claims(request.claims)
    message.isInstanceAware = configuration.supportsMultipleClouds && authority.type == .entra
    message.requestsClientInfo = authority.isEntra
    message.correlationID = authority.isMicrosoft ? serverClient.correlationID : nil
    message.extraQuery = prepared.extras.query
    let pending = PendingAuthorization(
      id: Base64URL.encode(dependencies.randomness.bytes(16)), clientID: configuration.clientID,
      authority: authority.text, issuer: prepared.authority.configuration.issuer,
      redirectURI: redirectURI, secrets: secrets, scopes: prepared.scopes,
      requestsRefreshToken: prepared.offlineAccess.isRequested,
      claims: request.claims, extraTokenFields: request.extraTokenParameters,
      homeAccountID: request.acceptsOtherAccount ? nil : prepared.account?.homeAccountID,
      username: prepared.account?.username, sourceApplication: prepared.sourceApplication,
      correlationID: serverClient.correlationID,
      expiresAt: dependencies.time.now.adding(seconds: prepared.lifetime.wholeSeconds))
    return (pending, message.address(at: prepared.endpoint))
  }

  /// Returns the claims of a request merged with the client capabilities of the application.
  private func claims(_ claims: String?) -> String? {
    ClaimsRequest.parameter(claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// Returns the constraint for the requested account, with its user name and sign-in state from the store.
  ///
  /// A store that cannot be read is ignored, because the sign-in repairs it. Returns `nil` if no account is requested.
  func accountConstraint(
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
  /// The authority of the authorization request, and the one that redeems the code.
  typealias Authorities = (requested: Authority, resolved: ResolvedAuthority)

  /// Determines where to redeem the code of a response, and checks that the tokens can be stored.
  ///
  /// Does not send the code.
  func prepare(
    _ response: AuthorizationResponse, at authority: ResolvedAuthority
  ) throws(TesseraError) -> Authorities {
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
    _ response: AuthorizationResponse, of pending: PendingAuthorization, at authorities: Authorities
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
      at: authority.configuration.tokenEndpoint, of: authority.authority)
    switch outcome {
    case .success(let document): return document
    case .errorResponse(let errorResponse):
      throw TesseraError(ofCode: errorResponse, correlationID: serverClient.correlationID)
        .withAppProtectionDetails(authority.authority, homeAccountID)
    }
  }

  private func receive(
    _ document: ReceivedDocument, _ pending: PendingAuthorization,
    _ authority: Authorities
  ) throws(TesseraError) -> TokenResult {
    var expected = context.expectation(of: authority.resolved, pending.scopes)
    expected.nonce = pending.secrets.nonce
    let tokenRecords = try TokenResponseRecords(document, expected)
    try pending.account?.check(tokenRecords)
    return try context.store(
      CompletedSignIn(
        tokenRecords: tokenRecords, authority: authority.resolved, requested: authority.requested,
        scopes: pending.scopes, hasClaimsChallenge: ClaimsRequest.isRequest(pending.claims),
        requestsRefreshToken: pending.requestsRefreshToken))
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
