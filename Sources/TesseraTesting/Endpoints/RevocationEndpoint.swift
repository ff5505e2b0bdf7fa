// SPDX-License-Identifier: MIT
// The revocation endpoint (RFC 7009).

import TesseraWire

extension ProviderState {
  /// Revokes a refresh token with its access tokens, or an access token.
  ///
  /// The response is the same for an unknown token (section 2.2).
  mutating func revoke(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    let form = try request.form()
    counts.revocations += 1
    let token = try form.required("token")
    let clientID = try authenticate(request, form, at: issuer).clientID
    try accessTokens.revoke(token, of: clientID, at: issuer)
    try refreshTokens.revoke(token, of: clientID, at: issuer)
    return HTTPResponse(status: 200)
  }
}
