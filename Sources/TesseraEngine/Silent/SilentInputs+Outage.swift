// SPDX-License-Identifier: MIT
// Extended token lifetime: an expired token that is returned while the server is unavailable.

import TesseraCache
import TesseraWire

extension SilentInputs {
  /// The expired token that may be returned while the server is unavailable; `nil` for none.
  ///
  /// As in MSAL for Apple, the application must allow it, and the server must have failed to respond.
  var outageToken: CachedToken? {
    guard usesExtendedLifetime, !forcesRefresh, !hasClaims, !isSignedOut, let token = accessToken,
      let extended = token.extendedExpiresAt
    else { return nil }
    let receivedAt = token.cachedAt ?? clocks.now
    let wallClockAge = clocks.now.seconds(since: receivedAt)
    // The boot-time clock is preferred, because it cannot be set.
    let age = token.receivedBootTime.flatMap { clocks.bootTime?.seconds(since: $0) } ?? wallClockAge
    let secondsLeft = extended.seconds(since: receivedAt) &- max(age, wallClockAge)
    guard age >= -60, secondsLeft > 0 else { return nil }
    return CachedToken(
      accessToken: token, idToken: idToken(accompanying: token), secondsLeft: secondsLeft)
  }
}
