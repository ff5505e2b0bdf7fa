// SPDX-License-Identifier: MIT
// The token endpoint (RFC 6749 section 3.2): exchanges a grant for tokens.

import TesseraWire

/// The grant types of this provider, by their values in requests.
enum GrantType {
  /// RFC 8628 section 3.4.
  static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
  /// RFC 6749 section 4.1.3.
  static let authorizationCode = "authorization_code"
  /// RFC 6749 section 6.
  static let refreshToken = "refresh_token"
  /// RFC 6749 section 4.4.
  static let clientCredentials = "client_credentials"
  /// RFC 7523 section 2.1, for the on-behalf-of grant of Entra and ADFS.
  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  /// All grant types.
  static let all = [deviceCode, authorizationCode, refreshToken, clientCredentials, jwtBearer]
}

extension ProviderState {
  /// Exchanges a grant for tokens.
  mutating func token(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    let form = try request.form()
    let grantType = try form.required("grant_type")
    let source = TokenRequestSource(
      grantType: GrantType.all.contains(grantType) ? grantType : "other",
      clientID: (try? PresentedClient(request, form))?.clientID ?? "", tenant: issuer.name)
    counts.add(source)
    if let response = simulatedFailures.nextTokenResponse(to: source, at: request.now, &counts) {
      return response
    }
    let client = try authenticate(request, form, at: issuer)
    var signIn = try redeem(grantType, form, client, at: issuer, now: request.now)
    signIn.clientAuthenticationClass = client.credential.authenticationClass
    signIn.authenticationContexts = form.authenticationContexts
    let body = try tokens(
      for: signIn, at: request.now, withClientInfo: form["client_info"] == "1")
    counts.tokensIssued += 1
    let ids = RequestIDs(request, randomBytes: randomBytes)
    return .json(
      .object(body), headers: HTTPHeader.noStore + (issuer.isEntra ? ids.headers : []))
  }

  /// Authenticates the client of a request at the token or revocation endpoint of an issuer.
  mutating func authenticate(
    _ request: IncomingRequest, _ form: FormFields, at issuer: Issuer
  ) throws(ErrorResponse) -> AuthenticatedClient {
    // The address of the request may contain the domain of the tenant in place of its ID.
    let audiences = [issuer.identifierPath, issuer.tokenPath, request.path].map { origin + $0 }
    let endpoint = TokenEndpointIdentity(
      issuer: issuer, audiences: audiences, methods: settings.clientAuthenticationMethods)
    return try clients.authenticate(
      PresentedClient(request, form), at: endpoint, now: request.now)
  }

  private mutating func redeem(
    _ grantType: String, _ form: FormFields, _ client: AuthenticatedClient, at issuer: Issuer,
    now: Instant
  ) throws(ErrorResponse) -> SignIn {
    let clientID = client.clientID
    switch grantType {
    case GrantType.deviceCode:
      return try redeemDeviceCode(form, clientID: clientID, issuer: issuer, now: now)
    case GrantType.authorizationCode:
      return try redeemAuthorizationCode(form, clientID: clientID, issuer: issuer, now: now)
    case GrantType.refreshToken:
      return try redeemRefreshToken(form, clientID: clientID, issuer: issuer)
    case GrantType.clientCredentials:
      return try SignIn(of: client, form, at: issuer)
    case GrantType.jwtBearer:
      let grant = OnBehalfOfGrant(
        client: client, issuer: issuer, requiredContexts: settings.authenticationContexts, now: now)
      return withRefreshToken(try grant.redeem(form, key: currentSigningKey()))
    default: throw .unsupportedGrant
    }
  }

  private mutating func redeemDeviceCode(
    _ form: FormFields, clientID: String, issuer: Issuer, now: Instant
  ) throws(ErrorResponse) -> SignIn {
    let (user, grant) = try deviceGrants.redeem(
      deviceCode: try form.required("device_code"), clientID: clientID, issuer: issuer, at: now)
    return withRefreshToken(
      SignIn(subject: .user(user), clientID: clientID, issuer: issuer, scopes: grant.scopes))
  }

  private mutating func redeemAuthorizationCode(
    _ form: FormFields, clientID: String, issuer: Issuer, now: Instant
  ) throws(ErrorResponse) -> SignIn {
    let grant = try authorizations.redeem(form, clientID: clientID, issuer: issuer, at: now)
    // Entra uses the scopes of the token request, of one resource. The user consented to the scopes of all resources.
    let requested = issuer.isEntra ? form["scope"]?.nonBlank.map { Scopes(parsing: $0) } : nil
    var signIn = SignIn(
      subject: .user(grant.user), clientID: clientID, issuer: issuer,
      scopes: requested ?? grant.request.scopes)
    signIn.nonce = grant.request.nonce
    return withRefreshToken(signIn)
  }

  /// Adds the first refresh token of a family to the sign-in of a user, if it was requested.
  private mutating func withRefreshToken(_ signIn: SignIn) -> SignIn {
    var signIn = signIn
    guard let user = signIn.user, signIn.scopes.normalised.contains(SignIn.offlineAccess) else {
      return signIn
    }
    signIn.familyID = familyID(of: signIn.clientID, at: signIn.issuer)
    let refreshToken = randomToken()
    refreshTokens.issue(
      refreshToken,
      for: RefreshGrant(
        user: user, clientID: signIn.clientID, issuer: signIn.issuer,
        scopes: signIn.scopes, familyID: signIn.familyID))
    signIn.refreshToken = refreshToken
    return signIn
  }

  private mutating func redeemRefreshToken(
    _ form: FormFields, clientID: String, issuer: Issuer
  ) throws(ErrorResponse) -> SignIn {
    let old = try form.required("refresh_token")
    let grant = try grant(of: old, issuer: issuer)
    let familyID = familyID(of: clientID, at: issuer)
    // An application may redeem the refresh token of another one if both belong to the same family.
    guard grant.clientID == clientID || familyID != nil && familyID == grant.familyID else {
      throw .foreignRefreshToken
    }
    guard issuer.admits(grant.user) else { throw .notAdmitted }
    let requested = form["scope"]?.nonBlank.map { Scopes(parsing: $0) } ?? grant.scopes
    // RFC 6749 section 6: not more than was granted. Entra's refresh tokens are valid for all resources.
    guard issuer.isEntra || requested.normalised.isSubset(of: grant.scopes.normalised) else {
      throw .scopeExceedsGrant
    }
    var signIn = SignIn(
      subject: .user(grant.user), clientID: clientID, issuer: issuer, scopes: requested)
    signIn.familyID = familyID
    signIn.redeemedToken = old
    // RFC 6749 section 6: without a new refresh token, the old one remains valid. Entra always sends a new one.
    if settings.rotatesRefreshTokens || issuer.isEntra {
      let new = randomToken()
      refreshTokens.renew(old, as: new, rotates: settings.rotatesRefreshTokens)
      signIn.refreshToken = new
    }
    return signIn
  }

  private mutating func grant(
    of token: String, issuer: Issuer
  ) throws(ErrorResponse) -> RefreshGrant {
    do {
      return try refreshTokens.grant(of: token, issuer: issuer)
    } catch {
      if error == .reusedRefreshToken { counts.refreshTokenReuses += 1 }
      throw error
    }
  }

  private func familyID(of clientID: String, at issuer: Issuer) -> String? {
    guard case .entra = issuer, settings.familyClientIDs.contains(clientID) else { return nil }
    return "1"
  }
}
