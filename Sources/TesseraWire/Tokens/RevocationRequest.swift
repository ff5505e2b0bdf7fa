// SPDX-License-Identifier: MIT
// The request that makes a token worthless at its provider (RFC 7009 section 2.1).

/// A request to the revocation endpoint.
package struct RevocationRequest: Sendable {
  /// The refresh token; the access tokens that came of it may end with it.
  package var refreshToken: Secret
  /// The application that it was issued to.
  package var clientID: String

  package init(refreshToken: Secret, clientID: String) {
    self.refreshToken = refreshToken
    self.clientID = clientID
  }

  /// The request as it is sent.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("token", refreshToken)
    form.add("token_type_hint", "refresh_token")
    form.add("client_id", clientID)
    return .post(endpoint, form)
  }
}
