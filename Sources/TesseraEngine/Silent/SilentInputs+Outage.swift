// SPDX-License-Identifier: MIT
// What serves while the server is down: a token that has expired, but not its extended lifetime.

import TesseraCache
import TesseraWire

extension SilentInputs {
  /// The expired token that may be handed out while the server is down; nil for none.
  ///
  /// MSAL for Apple: only if the application allows it, and only if the server could not answer.
  var outageToken: CachedToken? {
    guard usesExtendedLifetime, !forcesRefresh, !hasClaims, !isSignedOut, let token = accessToken,
      let extended = token.extendedExpiresAt
    else { return nil }
    let receivedAt = token.cachedAt ?? clocks.now
    let wallAge = clocks.now.seconds(since: receivedAt)
    // Measured by the clock that nobody can set, wherever that is possible.
    let age = token.receivedMoment.flatMap { clocks.moment?.seconds(since: $0) } ?? wallAge
    let secondsLeft = extended.seconds(since: receivedAt) &- max(age, wallAge)
    guard age >= -60, secondsLeft > 0 else { return nil }
    return CachedToken(
      accessToken: token, idToken: idToken(beside: token), secondsLeft: secondsLeft)
  }
}
