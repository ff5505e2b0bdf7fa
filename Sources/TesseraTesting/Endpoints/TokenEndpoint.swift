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
}

extension ProviderState {
  /// Exchanges a grant for tokens.
  mutating func token(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    let form = try request.form()
    let grantType = try form.required("grant_type")
    count(grantType)
    if let response = simulatedFailures.nextTokenResponse() { return response }
    let clientID = try form.required("client_id")
    let signIn =
      switch grantType {
      case GrantType.deviceCode:
        try redeemDeviceCode(form, clientID: clientID, issuer: issuer, now: request.now)
      case GrantType.authorizationCode:
        try redeemAuthorizationCode(form, clientID: clientID, issuer: issuer, now: request.now)
      case GrantType.refreshToken:
        try redeemRefreshToken(form, clientID: clientID, issuer: issuer)
      default: throw .unsupportedGrant
      }
    let body = try tokens(
      for: signIn, at: request.now, withClientInfo: form["client_info"] == "1")
    counts.tokensIssued += 1
    let ids = RequestIDs(request, randomBytes: randomBytes)
    return .json(
      .object(body), headers: HTTPHeader.noStore + (issuer.isEntra ? ids.headers : []))
  }

  private mutating func redeemDeviceCode(
    _ form: FormFields, clientID: String, issuer: Issuer, now: Instant
  ) throws(ErrorResponse) -> SignIn {
    let (user, grant) = try deviceGrants.redeem(
      deviceCode: try form.required("device_code"), clientID: clientID, issuer: issuer, at: now)
    return withRefreshToken(
      SignIn(user: user, clientID: clientID, issuer: issuer, scopes: grant.scopes))
  }

  private mutating func redeemAuthorizationCode(
    _ form: FormFields, clientID: String, issuer: Issuer, now: Instant
  ) throws(ErrorResponse) -> SignIn {
    let grant = try authorizations.redeem(form, clientID: clientID, issuer: issuer, at: now)
    // Entra uses the scopes of the token request, of one resource. The user consented to the scopes of all resources.
    let requested = issuer.isEntra ? form["scope"]?.nonBlank.map { Scopes(parsing: $0) } : nil
    var signIn = SignIn(
      user: grant.user, clientID: clientID, issuer: issuer,
      scopes: requested ?? grant.request.scopes)
    signIn.nonce = grant.request.nonce
    return withRefreshToken(signIn)
  }

  /// Adds the first refresh token of a family to a sign-in, if it was requested.
  private mutating func withRefreshToken(_ signIn: SignIn) -> SignIn {
    var signIn = signIn
    guard signIn.scopes.normalised.contains(SignIn.offlineAccess) else { return signIn }
    signIn.familyID = familyID(of: signIn.clientID, at: signIn.issuer)
    let refreshToken = randomToken()
    refreshTokens.issue(
      refreshToken,
      for: RefreshGrant(
        user: signIn.user, clientID: signIn.clientID, issuer: signIn.issuer,
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
    var signIn = SignIn(user: grant.user, clientID: clientID, issuer: issuer, scopes: requested)
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

  private mutating func count(_ grantType: String) {
    let known = [GrantType.deviceCode, GrantType.authorizationCode, GrantType.refreshToken]
    counts.tokenRequests[known.contains(grantType) ? grantType : "other", default: 0] += 1
  }
}
