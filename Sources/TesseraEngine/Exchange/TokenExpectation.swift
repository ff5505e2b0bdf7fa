// SPDX-License-Identifier: MIT
// The validation of token responses, and their results.

package import TesseraCache
package import TesseraWire

/// The expected values of a token response.
package struct TokenExpectation: Sendable {
  /// The authority of the request.
  package var authority: ResolvedAuthority
  package var clientID: String
  /// The scopes that the caller requested.
  package var scopes: Scopes
  /// The account of the expected tokens; `nil` if any account may sign in.
  package var homeAccountID: String?
  /// The client capabilities of the application, in the form stored with its tokens.
  package var requestedClaims: String?
  /// The nonce of the ID token.
  ///
  /// If it is set, an ID token is required.
  package var nonce: Secret?
  /// Whether the ID token may have expired, because a broker may return a cached one.
  package var allowsExpiredIDToken = false

  package init(
    authority: ResolvedAuthority, clientID: String, scopes: Scopes, homeAccountID: String? = nil
  ) {
    self.authority = authority
    self.clientID = clientID
    self.scopes = scopes
    self.homeAccountID = homeAccountID
  }
}

extension TokenExpectation {
  /// Validates the ID token of a response and returns its claims; `nil` if there is none.
  ///
  /// - Throws: ``WireError`` for an unknown token type, and for an ID token of another issuer or application.
  package func checkedClaims(
    of response: TokenResponse, at now: Instant
  ) throws(WireError) -> IDTokenClaims? {
    // RFC 6749 section 7.1: a token of an unknown type must not be used.
    guard response.tokenType.normalised == "bearer" else {
      throw WireError(
        "token_type_unknown", "The token response has a token_type other than Bearer.")
    }
    if authority.authority.isEntra, response.clientInfo == nil {
      throw WireError("client_info_missing", "The token response has no client_info.")
    }
    guard let secret = response.idToken else {
      guard nonce == nil else {
        throw WireError(
          "id_token_missing", "The token response has no ID token, although one was requested.")
      }
      return nil
    }
    let token = try JSONWebToken(secret)
    var check = IDTokenValidator(
      issuer: authority.configuration.issuer, clientID: clientID,
      nonce: nonce?.reveal(), now: homeAccountID == nil && !allowsExpiredIDToken ? now : nil)
    check.ignoresCase = authority.authority.isEntra
    try check.check(token)
    let claims = IDTokenClaims(token)
    try authority.authority.checkTenant(
      claims.tenantID, issuer: authority.configuration.issuer)
    return claims
  }

  /// The tenant of tokens without a tenant claim.
  package var tenant: String {
    authority.authority.tenant
  }
}

extension TokenResponseRecords {
  /// Validates a token response and creates its records.
  ///
  /// - Throws: `fixConfiguration` for an ID token of another issuer or application, `retryLater` for an invalid response,
  ///   `signIn` for tokens of another account.
  package init(
    _ document: ReceivedDocument, _ expected: TokenExpectation
  ) throws(TesseraError) {
    let authority = expected.authority
    let received = document.responseTime
    self = try TesseraError.wrapping(without: document.sent) { () throws(WireError) in
      var response = try TokenResponse(document.json, received: received)
      if !authority.authority.isEntra { response.clientInfo = nil }
      let claims = try expected.checkedClaims(of: response, at: received.atServer)
      return TokenResponseRecords(
        response: response, claims: claims,
        identity: try TokenIdentity(
          response, claims, tenant: expected.tenant, expected: expected.homeAccountID,
          hasTenants: authority.authority.isEntra),
        clientID: expected.clientID, environment: authority.environment,
        requestedScopes: expected.scopes.union(.reserved), hasFamilies: authority.authority.isEntra,
        received: received)
    }
    // ADFS grants "openid user_impersonation" for any scopes of a resource. Stored under these, the token would never be
    // found.
    trustsRequestedScopes = authority.authority.type == .adfs
    accountType = AccountType(of: authority.authority.type)
    requestedClaims = expected.requestedClaims
    guard let requestedHomeAccountID = expected.homeAccountID else { return }
    guard authority.authority.normalised(requestedHomeAccountID) == identity.homeAccountID else {
      throw TesseraError(
        .signIn, .accountMismatch,
        """
        The server returned tokens of a different account than requested; they were not stored. \
        Sign in with the requested account.
        """
      )
    }
  }

  /// Returns the change that stores the tokens and the resolved authority.
  ///
  /// - Parameters:
  ///   - authority: The authority that issued the tokens.
  ///   - requested: The requested authority, if a sign-in was redirected to another cloud; see
  ///     ``Authority/inCloud(of:discovered:)``.
  ///   - isInstanceAware: Whether the application supports several clouds.
  package func change(
    from authority: ResolvedAuthority, requested: Authority? = nil, isInstanceAware: Bool = false
  ) -> CacheChange {
    var change = change
    if authority.authority.isEntra {
      change.steps.append(
        .signIn(
          homeAccountID: identity.homeAccountID, clientID: clientID,
          requested: (requested ?? authority.authority).text,
          result: authority.resultAuthority(realm: identity.realm),
          isInstanceAware: isInstanceAware))
    }
    return change
  }

  /// Returns the result.
  ///
  /// If the response has no ID token, the one in the snapshot is used.
  ///
  /// - Throws: `retryLater` for a response without an access token or with an invalid account identifier.
  package func result(
    from authority: ResolvedAuthority, before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    guard let accessToken else {
      throw TesseraError(.retryLater, .invalidResponse, "The token response has no access token.")
    }
    let stored = before?.accounts.filter { $0.homeAccountID == identity.homeAccountID } ?? []
    let older = stored.first { $0.key == account.key }
    let profiles = stored.filter { $0.key != account.key }
    let merged = AccountList.merged([older?.overlaid(with: account) ?? account] + profiles)
    guard
      let account = merged.first(where: { AccountKey.isSameCloud($0.environment, environment) })
    else {
      throw TesseraError(
        .retryLater, .invalidResponse, "The token response contains an invalid account identifier.")
    }
    let oldIDToken = before?.credentials.first { record in
      record.type == .idToken && record.clientID == clientID && record.realm == identity.realm
        && record.environment == environment && record.homeAccountID == identity.homeAccountID
    }
    return TokenResult(
      accessToken: accessToken, idToken: idToken ?? oldIDToken, account: account,
      authority: authority.resultAuthority(realm: identity.realm), source: .network)
  }
}

extension AccountType {
  /// Returns the account type for an authority type.
  fileprivate init(of type: AuthorityType) {
    self =
      switch type {
      case .entra, .b2c, .ciam: .microsoft
      case .adfs: .adfs
      case .openID: .generic
      }
  }
}

extension TesseraError {
  /// Adds the values that the Intune library needs if app protection is required.
  package func withAppProtectionDetails(_ authority: Authority, _ homeAccountID: String?)
    -> TesseraError
  {
    guard code == .protectionPolicyRequired else { return self }
    var error = self
    error.authority = authority.text
    error.homeAccountID = self.homeAccountID ?? homeAccountID?.nonBlank
    return error
  }
}
