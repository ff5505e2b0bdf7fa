// SPDX-License-Identifier: MIT
// The token revocation request (RFC 7009 section 2.1).

/// A request to the revocation endpoint.
package struct RevocationRequest: Sendable {
  /// The refresh token.
  ///
  /// The server may revoke the access tokens that it issued for it as well.
  package var refreshToken: Secret
  /// The client ID that the token was issued to.
  package var clientID: String

  package init(refreshToken: Secret, clientID: String) {
    self.refreshToken = refreshToken
    self.clientID = clientID
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("token", refreshToken)
    form.add("token_type_hint", "refresh_token")
    form.add("client_id", clientID)
    return .post(endpoint, form)
  }
}
