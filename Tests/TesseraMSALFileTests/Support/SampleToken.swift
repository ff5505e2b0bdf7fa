// SPDX-License-Identifier: MIT
// A refresh token for tests.

import TesseraCache
import TesseraWire

/// A refresh token for tests.
enum SampleToken {
  /// Returns a refresh token.
  static func refresh(_ secret: String, _ owner: String = "home") -> CredentialRecord {
    var token = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    token.homeAccountID = owner
    token.environment = "issuer.example"
    token.clientID = "client"
    return token
  }
}
