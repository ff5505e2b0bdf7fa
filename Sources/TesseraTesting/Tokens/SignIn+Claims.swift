// SPDX-License-Identifier: MIT
// The claims of tokens.

import TesseraWire

/// The values that all tokens of a response have in common.
struct TokenIssuance: Sendable {
  /// The scheme, host and port of the provider.
  let origin: String
  /// The time of the response.
  let now: Instant
}

extension SignIn {
  /// Returns the claims of an access token.
  ///
  /// Only the resource interprets them.
  ///
  /// - Parameter id: The claim `jti`.
  func accessClaims(_ issuance: TokenIssuance, lifetime: Int64, id: String) -> JSONObject {
    var claims = commonClaims(issuance, audience: resource, lifetime: lifetime)
    claims.append("azp", clientID)
    switch subject {
    case .user: claims.append("scp", scopesWithoutResource)
    case .application(let application):
      if case .plain = issuer { claims.append("scope", scopes.text) }
      guard tenant != nil else { break }
      claims.append("idtyp", "app")
      claims["roles"] = application.roles.isEmpty ? nil : .strings(application.roles)
    }
    if tenant != nil { claims.append("azpacr", String(clientAuthenticationClass)) }
    claims["acrs"] = authenticationContexts.isEmpty ? nil : .strings(authenticationContexts)
    claims.append("jti", id)
    return claims
  }

  /// Returns the claims of an ID token (OpenID Connect Core 2), including Entra's additional ones.
  func identityClaims(of user: LocalUser, _ issuance: TokenIssuance) -> JSONObject {
    var claims = commonClaims(
      issuance, audience: clientID, lifetime: SigningKey.idTokenLifetimeSeconds)
    switch issuer {
    // B2C returns email addresses instead of a user name, and the policy.
    case .b2c(let policy, _):
      claims["emails"] = [.string(user.username)]
      claims.append("tfp", policy)
    case .adfs: claims.append("upn", user.username)
    case .entra, .ciam, .plain: claims.append("preferred_username", user.username)
    }
    claims.append("name", user.name)
    claims.append("nonce", nonce)
    return claims
  }

  private func commonClaims(
    _ issuance: TokenIssuance, audience: String, lifetime: Int64
  ) -> JSONObject {
    let time = JSONValue.integer(issuance.now.secondsSince1970)
    var claims: JSONObject = [
      "iss": .string(issuance.origin + issuerPath), "aud": .string(audience),
      "sub": .string(subjectID), "iat": time, "nbf": time,
      "exp": .integer(issuance.now.adding(seconds: lifetime).secondsSince1970),
    ]
    if let tenant {
      claims.append("oid", objectID(in: tenant))
      // B2C includes the tenant in the issuer only.
      if tenant != .customers { claims.append("tid", tenant.id) }
      claims.append("ver", tenant == .customers ? "1.0" : "2.0")
    }
    return claims
  }

  /// The path of the issuer of a token.
  ///
  /// At Entra, it contains the tenant of the token.
  private var issuerPath: String {
    guard case .entra = issuer, let tenant else { return issuer.identifierPath }
    return Issuer.entra(.tenant(tenant)).identifierPath
  }

  /// The claim `sub`: different for each application at Entra, the same for all at generic issuers.
  private var subjectID: String {
    switch subject {
    case .user(let user):
      tenant.map { user.pairwiseSubject(for: clientID, in: $0) } ?? user.objectID
    case .application(let application):
      tenant.map { application.objectID(in: $0) } ?? application.clientID
    }
  }

  /// The `client_info`: the home account, independent of the tenant of the sign-in; nil without a user.
  var clientInfo: String? {
    guard let user else { return nil }
    let (uid, utid) = homeAccountIDs(of: user)
    let json: JSONValue = ["uid": .string(uid), "utid": .string(utid)]
    return Base64URL.encode(json.bytes)
  }

  /// Returns the home account.
  ///
  /// In B2C and external tenants it is in that tenant; in B2C, each policy has a separate account.
  private func homeAccountIDs(of user: LocalUser) -> (uid: String, utid: String) {
    switch issuer {
    case .b2c(let policy, _):
      ("\(user.objectID(in: .customers))-\(policy)", Tenant.customers.id)
    case .ciam: (user.objectID(in: .external), Tenant.external.id)
    case .entra, .adfs, .plain: (user.objectID, user.homeTenantID)
    }
  }
}
