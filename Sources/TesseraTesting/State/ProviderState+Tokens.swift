// SPDX-License-Identifier: MIT
// The token response (RFC 6749 section 5.1).

import TesseraWire

extension ProviderState {
  /// Returns the token response.
  mutating func tokens(
    for signIn: SignIn, at now: Instant, withClientInfo: Bool
  ) throws(ErrorResponse) -> JSONObject {
    let key = try currentSigningKey()
    let issuance = TokenIssuance(origin: origin, now: now)
    let lifetime = settings.accessTokenLifetimeSeconds
    var body: JSONObject = [
      "token_type": .string(signIn.issuer == .adfs ? "bearer" : "Bearer")
    ]
    body.append("scope", settings.grantedScope ?? signIn.grantedScope)
    body["expires_in"] = .integer(lifetime)
    if signIn.issuer.isEntra {
      body["ext_expires_in"] = .integer(settings.extendedLifetimeSeconds ?? lifetime)
      body["refresh_in"] = settings.refreshInSeconds.map(JSONValue.integer)
    }
    // Tokens issued in the same second must differ. The number shows their order in tests.
    accessTokenCount += 1
    let claims = signIn.accessClaims(
      issuance, lifetime: lifetime, id: "\(accessTokenCount)-\(UUIDText.make(randomBytes(16)))")
    let accessToken = try key.sign(claims)
    body["access_token"] = .string(accessToken)
    accessTokens.issue(accessToken, AccessGrant(signIn: signIn, claims: claims), at: now)
    body.append("refresh_token", signIn.refreshToken)
    body.append("foci", signIn.refreshToken == nil ? nil : signIn.familyID)
    // OpenID Connect Core 3.1.2.1: without openid, it is not an OpenID Connect request.
    if let user = signIn.user, signIn.scopes.normalised.contains(SignIn.openID) {
      body["id_token"] = .string(try key.sign(signIn.identityClaims(of: user, issuance)))
    }
    if withClientInfo, signIn.issuer.isEntra {
      body.append("client_info", signIn.clientInfo)
    }
    return body
  }

  /// Returns the signing key.
  ///
  /// The first call creates it.
  mutating func currentSigningKey() throws(ErrorResponse) -> SigningKey {
    if let signingKey { return signingKey }
    let key = try SigningKey()
    signingKey = key
    return key
  }
}
