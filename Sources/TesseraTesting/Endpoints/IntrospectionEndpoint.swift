// SPDX-License-Identifier: MIT
// The introspection endpoint (RFC 7662) for access tokens of generic issuers.

import TesseraWire

/// The introspection of the tokens of an issuer.
struct Introspection {
  /// The access tokens.
  let accessTokens: AccessTokens
  /// The refresh tokens, with which access tokens are revoked (RFC 7009 section 2.1).
  let refreshTokens: RefreshTokens
  /// The issuer.
  let issuer: Issuer

  /// Returns the state of a token to a resource server.
  ///
  /// A token that is not active has no other members (section 2.2).
  func response(to request: IncomingRequest) throws(ErrorResponse) -> HTTPResponse {
    let form = try request.form()
    // Section 2.1: without authentication, the endpoint could be used to search for tokens.
    guard request.isFromResourceServer(form) else { throw .invalidClient }
    let token = try form.required("token")
    guard let grant = accessTokens.grant(of: token, issuer: issuer, at: request.now),
      !isRevoked(grant.signIn)
    else { return .json(["active": false], headers: HTTPHeader.noStore) }
    return .json(.object(grant.introspection), headers: HTTPHeader.noStore)
  }

  private func isRevoked(_ signIn: SignIn) -> Bool {
    (signIn.refreshToken ?? signIn.redeemedToken).map(refreshTokens.isRevoked) ?? false
  }
}

extension AccessGrant {
  /// The members of an active token.
  fileprivate var introspection: JSONObject {
    var members: JSONObject = [
      "active": true, "scope": .string(signIn.scopes.text), "client_id": .string(signIn.clientID),
    ]
    members.append("username", signIn.user?.username)
    members.append("token_type", "Bearer")
    for name in ["exp", "iat", "nbf", "sub", "aud", "iss", "jti"] {
      members[name] = claims[name]
    }
    return members
  }
}

extension IncomingRequest {
  /// Whether the request has the secret of a resource server, by Basic authentication or in the form.
  ///
  /// Every client ID is accepted.
  fileprivate func isFromResourceServer(_ form: FormFields) -> Bool {
    guard headers["Authorization"] != nil else {
      return form["client_id"]?.nonBlank != nil && form["client_secret"] == ResourceServer.secret
    }
    let credentials = try? BasicCredentials(headers["Authorization"])
    return credentials?.secret == ResourceServer.secret
  }
}
