// SPDX-License-Identifier: MIT
// The age of a cached token and its consequences, measured with the boot-time clock where possible.

package import TesseraCache
package import TesseraWire

/// The validity of a cached access token according to the clocks.
///
/// The age of a token received since the last boot does not depend on the wall clock. If the wall clock disagrees, it
/// was set, or the machine was suspended with all of its clocks. The token is then `doubtful`: it is returned only if
/// no new one can be acquired.
package struct TokenExpiry: Sendable, Hashable {
  /// The usability of a token.
  package enum Verdict: Sendable {
    case usable, doubtful, expired
  }

  package let verdict: Verdict
  /// Whether the server's recommended refresh time has passed.
  package let isDue: Bool
  /// The number of seconds for which the verdict holds; 0 for an expired token.
  package let secondsLeft: Int64

  /// Evaluates the age of a token.
  ///
  /// - Parameter marginSeconds: The time before the expiry at which a token is no longer returned. It is limited to
  ///   half of the lifetime, so that even a token with a lifetime of two minutes is usable.
  package init(_ token: CredentialRecord, at clocks: Clocks, marginSeconds: Int64) {
    guard let expiresAt = token.expiresAt else {
      (verdict, isDue, secondsLeft) = (.expired, false, 0)
      return
    }
    let wallClockAge = token.cachedAt.map { clocks.now.seconds(since: $0) }
    let bootTimeAge = token.receivedBootTime.flatMap { clocks.bootTime?.seconds(since: $0) }
    // Without a receipt time, the token counts as received now, so that only its expiry matters.
    let receivedAt = token.cachedAt ?? clocks.now
    let lifetime = max(expiresAt.seconds(since: receivedAt), 0)
    let margin = token.cachedAt == nil ? marginSeconds : min(marginSeconds, lifetime / 2)
    let usable = lifetime &- margin
    let age = bootTimeAge ?? wallClockAge ?? 0
    let refreshAge = token.refreshAt.map { max($0.seconds(since: receivedAt), 0) }
    isDue = refreshAge.map { $0 <= age } ?? false
    // A receipt time in the future means that the clock was set back. Clocks may differ by 60 seconds.
    guard age < usable, age >= -60 else {
      (verdict, secondsLeft) = (.expired, 0)
      return
    }
    let end = isDue ? usable : min(usable, refreshAge ?? usable)
    secondsLeft = Instant(secondsSince1970: end).seconds(since: Instant(secondsSince1970: age))
    let limit = Instant(secondsSince1970: usable).adding(seconds: TokenExpiry.tolerance)
    verdict = (wallClockAge ?? 0) < limit.secondsSince1970 ? .usable : .doubtful
  }

  /// The maximum difference of two clocks read one after the other in whole seconds, in seconds.
  private static let tolerance: Int64 = 5
}
