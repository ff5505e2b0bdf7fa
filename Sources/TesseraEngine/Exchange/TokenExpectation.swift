// SPDX-License-Identifier: MIT
// What a flow asked for, to check the answer against.

import TesseraCache
package import TesseraWire

/// What a flow asked for, to check the answer against.
package struct TokenExpectation: Sendable {
  /// The authority that was asked.
  package var authority: ResolvedAuthority
  package var clientID: String
  /// What the caller asked for.
  package var scopes: Scopes
  /// Whose tokens must come back; nil when anybody may sign in.
  package var homeAccountID: String?
  /// The capabilities of the application, as its tokens carry them.
  package var requestedClaims: String?
  /// The nonce that the ID token must carry; then there has to be one.
  package var nonce: Secret?
  /// Whether the ID token may have expired: a broker hands out what it has.
  package var mayBeOlder = false

  package init(
    authority: ResolvedAuthority, clientID: String, scopes: Scopes, homeAccountID: String? = nil
  ) {
    self.authority = authority
    self.clientID = clientID
    self.scopes = scopes
    self.homeAccountID = homeAccountID
  }
}

extension PublicClientApplication {
  /// What an answer to this application must show.
  func expectation(
    of authority: ResolvedAuthority, _ scopes: Scopes, homeAccountID: String? = nil
  ) -> TokenExpectation {
    var expected = TokenExpectation(
      authority: authority, clientID: configuration.clientID, scopes: scopes,
      homeAccountID: homeAccountID)
    expected.requestedClaims = capabilityClaims
    return expected
  }
}

extension TokenExpectation {
  /// The claims of a response's ID token, if it has one and what it says holds.
  ///
  /// - Throws: ``WireError`` for a token type that nobody knows, and for an ID token of another issuer or application.
  package func checkedClaims(
    of response: TokenResponse, at now: Instant
  ) throws(WireError) -> IDTokenClaims? {
    // RFC 6749 7.1: a token of a type that one does not know must not be used.
    guard response.tokenType.normalised == "bearer" else {
      throw WireError("token_type_unknown", "The server sent a token that is not of type Bearer.")
    }
    if authority.authority.isEntra, response.clientInfo == nil {
      throw WireError("client_info_missing", "The server did not return client_info.")
    }
    guard let secret = response.idToken else {
      guard nonce == nil else {
        throw WireError("id_token_missing", "The server sent no ID token, which was asked for.")
      }
      return nil
    }
    let token = try JSONWebToken(secret)
    var check = IDTokenCheck(
      issuer: authority.configuration.issuer, clientID: clientID,
      nonce: nonce?.reveal(), now: homeAccountID == nil && !mayBeOlder ? now : nil)
    check.ignoresCase = authority.authority.isEntra
    try check.check(token)
    let claims = IDTokenClaims(token)
    try authority.authority.checkTenant(
      claims.tenantID, issuer: authority.configuration.issuer)
    return claims
  }

  /// The tenant of tokens that name none.
  package var tenant: String {
    authority.authority.tenant
  }
}
