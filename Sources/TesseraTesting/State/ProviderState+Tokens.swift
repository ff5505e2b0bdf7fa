// SPDX-License-Identifier: MIT
// The token response (RFC 6749 section 5.1) and the claims of its tokens.

import TesseraWire

extension ProviderState {
  /// Returns the token response.
  mutating func tokens(
    for signIn: SignIn, at now: Instant, withClientInfo: Bool
  ) throws(ErrorResponse) -> JSONObject {
    let key = try currentSigningKey()
    let lifetime = settings.accessTokenLifetimeSeconds
    var body: JSONObject = [
      "token_type": .string(signIn.issuer == .adfs ? "bearer" : "Bearer"),
      "scope": .string(settings.grantedScope ?? signIn.grantedScope),
      "expires_in": .integer(lifetime),
    ]
    if signIn.issuer.isEntra {
      body["ext_expires_in"] = .integer(settings.extendedLifetimeSeconds ?? lifetime)
      body["refresh_in"] = settings.refreshInSeconds.map(JSONValue.integer)
    }
    let accessClaims = accessClaims(signIn, now: now)
    let accessToken = try key.sign(accessClaims)
    body["access_token"] = .string(accessToken)
    accessTokens.issue(accessToken, AccessGrant(signIn: signIn, claims: accessClaims), at: now)
    body.append("refresh_token", signIn.refreshToken)
    body.append("foci", signIn.refreshToken == nil ? nil : signIn.familyID)
    // OpenID Connect Core 3.1.2.1: without openid, it is not an OpenID Connect request.
    if signIn.scopes.normalised.contains(SignIn.openID) {
      body["id_token"] = .string(try key.sign(identityClaims(signIn, now: now)))
    }
    if withClientInfo, signIn.issuer.isEntra {
      body.append("client_info", signIn.clientInfo)
    }
    return body
  }

  /// Returns the claims of an access token.
  ///
  /// Only the resource interprets them.
  private mutating func accessClaims(_ signIn: SignIn, now: Instant) -> JSONObject {
    var claims = commonClaims(
      signIn, audience: signIn.resource, lifetime: settings.accessTokenLifetimeSeconds, now: now)
    claims.append("azp", signIn.clientID)
    claims.append("scp", signIn.scopesWithoutResource)
    // Tokens issued in the same second must differ. The number shows their order in tests.
    accessTokenCount += 1
    claims.append("jti", "\(accessTokenCount)-\(UUIDText.make(randomBytes(16)))")
    return claims
  }

  /// Returns the claims of an ID token (OpenID Connect Core 2), including Entra's additional ones.
  private func identityClaims(_ signIn: SignIn, now: Instant) -> JSONObject {
    var claims = commonClaims(
      signIn, audience: signIn.clientID, lifetime: SigningKey.idTokenLifetimeSeconds, now: now)
    switch signIn.issuer {
    // B2C returns email addresses instead of a user name, and the policy.
    case .b2c(let policy, _):
      claims["emails"] = [.string(signIn.user.username)]
      claims.append("tfp", policy)
    case .adfs: claims.append("upn", signIn.user.username)
    case .entra, .ciam, .plain: claims.append("preferred_username", signIn.user.username)
    }
    claims.append("name", signIn.user.name)
    claims.append("nonce", signIn.nonce)
    return claims
  }

  private func commonClaims(
    _ signIn: SignIn, audience: String, lifetime: Int64, now: Instant
  ) -> JSONObject {
    let time = JSONValue.integer(now.secondsSince1970)
    var claims: JSONObject = [
      "iss": .string(issuer(of: signIn)), "aud": .string(audience), "sub": .string(signIn.subject),
      "iat": time, "nbf": time,
      "exp": .integer(now.adding(seconds: lifetime).secondsSince1970),
    ]
    if let tenant = signIn.tenant {
      claims.append("oid", signIn.user.objectID(in: tenant))
      // B2C includes the tenant in the issuer only.
      if tenant != .customers { claims.append("tid", tenant.id) }
      claims.append("ver", tenant == .customers ? "1.0" : "2.0")
    }
    return claims
  }

  /// Returns the issuer of a token.
  ///
  /// At Entra, it contains the tenant in which the user signed in.
  private func issuer(of signIn: SignIn) -> String {
    guard case .entra = signIn.issuer, let tenant = signIn.tenant else {
      return origin + signIn.issuer.identifierPath
    }
    return origin + Issuer.entra(.tenant(tenant)).identifierPath
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

extension SignIn {
  /// The claim `sub`: different for each application at Entra, the same for all at generic issuers.
  fileprivate var subject: String {
    tenant.map { user.pairwiseSubject(for: clientID, in: $0) } ?? user.objectID
  }

  /// The `client_info`: the home account, independent of the tenant of the sign-in.
  fileprivate var clientInfo: String {
    let (uid, utid) = homeAccountIDs
    let json: JSONValue = ["uid": .string(uid), "utid": .string(utid)]
    return Base64URL.encode(json.bytes)
  }

  /// The home account.
  ///
  /// In B2C and external tenants it is in that tenant; in B2C, each policy has a separate account.
  private var homeAccountIDs: (uid: String, utid: String) {
    switch issuer {
    case .b2c(let policy, _):
      ("\(user.objectID(in: .customers))-\(policy)", Tenant.customers.id)
    case .ciam: (user.objectID(in: .external), Tenant.external.id)
    case .entra, .adfs, .plain: (user.objectID, user.homeTenantID)
    }
  }
}
