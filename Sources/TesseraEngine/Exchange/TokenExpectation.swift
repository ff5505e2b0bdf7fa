// SPDX-License-Identifier: MIT
// The expected values of a token response.

import TesseraCache
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
