// SPDX-License-Identifier: MIT
// The revocation endpoint (RFC 7009): a refresh token comes in and is worthless from then on.

import TesseraWire

extension ProviderState {
  /// Revokes a refresh token; the answer is the same for one that never existed (section 2.2).
  mutating func revoke(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(Refusal) -> HTTPResponse {
    let form = try request.form()
    counts.revocations += 1
    try refreshTokens.revoke(
      try form.required("token"), of: try form.required("client_id"), at: issuer)
    return HTTPResponse(status: 200)
  }
}
