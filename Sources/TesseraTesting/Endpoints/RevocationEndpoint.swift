// SPDX-License-Identifier: MIT
// The revocation endpoint (RFC 7009) for refresh tokens.

import TesseraWire

extension ProviderState {
  /// Revokes a refresh token.
  ///
  /// The response is the same for an unknown token (section 2.2).
  mutating func revoke(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    let form = try request.form()
    counts.revocations += 1
    try refreshTokens.revoke(
      try form.required("token"), of: try form.required("client_id"), at: issuer)
    return HTTPResponse(status: 200)
  }
}
