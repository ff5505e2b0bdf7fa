// SPDX-License-Identifier: MIT
// The effect of a token response that fails validation on the refresh token that was redeemed for it.

import TesseraWire

/// The state of a refresh token after its token response failed validation.
///
/// The response is not trusted, for example because another issuer signed its ID token. A server that rotates refresh tokens
/// has nevertheless invalidated the old one. If it receives the old token again, it may revoke the whole grant.
enum RefreshTokenDisposition: Equatable, Sendable {
  /// The server kept the token: the response has no refresh token, or the same one.
  case kept
  /// The response has a different refresh token, which is unverified; `nil` for a malformed one.
  case replaced(by: Secret?)

  /// Compares the redeemed token with the one in the response.
  init(sent: Secret, response: JSONObject) {
    do throws(WireError) {
      let token = try TokenResponse.token(response, "refresh_token")
      self = token == nil || token == sent ? .kept : .replaced(by: token)
    } catch {
      self = .replaced(by: nil)
    }
  }
}
