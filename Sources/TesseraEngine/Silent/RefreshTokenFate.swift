// SPDX-License-Identifier: MIT
// The effect of a refused token response on the refresh token that was sent for it.

import TesseraWire

/// The decision about a refresh token after its response was refused.
///
/// A refused response is not trusted, for example because its ID token is of another issuer. A server that rotates refresh
/// tokens has nevertheless invalidated the old one, and revokes the whole sign-in if it receives it again.
enum RefreshTokenFate: Equatable, Sendable {
  /// The server kept the token: the response has no refresh token, or the same one.
  case kept
  /// The response has another refresh token, which is unverified; nil for one that cannot be stored.
  case replaced(by: Secret?)

  /// Decides by the token that was sent and the document that was received.
  init(sent: Secret, response: JSONObject) {
    do throws(WireError) {
      let token = try TokenResponse.token(response, "refresh_token")
      self = token == nil || token == sent ? .kept : .replaced(by: token)
    } catch {
      self = .replaced(by: nil)
    }
  }
}
