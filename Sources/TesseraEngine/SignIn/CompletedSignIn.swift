// SPDX-License-Identifier: MIT
// A sign-in that succeeded, before it is stored.

import TesseraCache
import TesseraWire

/// What a sign-in brought, and what was asked of it.
struct CompletedSignIn {
  let receipt: TokenReceipt
  /// Where the tokens came from.
  let authority: ResolvedAuthority
  /// What was asked, if the sign-in was led to another cloud.
  var requested: Authority?
  let scopes: Scopes
  /// Whether a resource wanted it, which then refuses all tokens that are older.
  let answersChallenge: Bool
  /// Whether a refresh token was requested, so that a response without one has a warning.
  var requestsRefreshToken = false
  /// Whether the access token may be stored; on a device that people share it may not.
  var keepsAccessToken = true
}
