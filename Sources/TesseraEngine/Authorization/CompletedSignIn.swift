// SPDX-License-Identifier: MIT
// The result of a successful sign-in, before its tokens are stored.

import TesseraCache
import TesseraWire

/// The token response of a sign-in with its request parameters.
struct CompletedSignIn {
  let tokenRecords: TokenResponseRecords
  /// The authority that issued the tokens.
  let authority: ResolvedAuthority
  /// The requested authority, if the sign-in was redirected to a different cloud.
  var requested: Authority?
  let scopes: Scopes
  /// Whether the request answered a claims challenge.
  ///
  /// The resource then rejects all older tokens.
  let hasClaimsChallenge: Bool
  /// Whether a refresh token was requested.
  ///
  /// A response without one then adds a warning.
  var requestsRefreshToken = false
  /// Whether the access token may be stored.
  ///
  /// It must not be stored on a shared device.
  var storesAccessToken = true
}
