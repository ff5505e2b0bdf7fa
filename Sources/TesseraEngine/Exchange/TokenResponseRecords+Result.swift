// SPDX-License-Identifier: MIT
// Conversion of a token response to validated records and a result.

package import TesseraCache
package import TesseraWire

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
