// SPDX-License-Identifier: MIT
// How old a cached token is, and what follows: judged by the clock that nobody can set, wherever that is possible.

package import TesseraCache
package import TesseraWire

/// What the clocks say of a cached access token.
///
/// A token that this machine received since it was started has an age that does not depend on the wall clock. If the wall
/// clock disagrees, either it was set, or the machine was paused together with all of its clocks: then the token is
/// doubtful, which means that it is used only if no new one can be had.
package struct TokenExpiry: Sendable, Hashable {
  /// What may be done with a token.
  package enum Verdict: Sendable {
    case usable, doubtful, over
  }

  package let verdict: Verdict
  /// Whether the server would like it refreshed by now.
  package let isDue: Bool
  /// For how many seconds the verdict holds, if the clocks go on; nothing if the token is over.
  package let secondsLeft: Int64

  /// Judges a token.
  ///
  /// - Parameter marginSeconds: how long before its expiry a token is not used any more; at most half of its lifetime, so
  ///   that tokens of two minutes are usable at all.
  package init(_ token: CredentialRecord, at clocks: Clocks, marginSeconds: Int64) {
    guard let expiresAt = token.expiresAt else {
      (verdict, isDue, secondsLeft) = (.over, false, 0)
      return
    }
    let wallAge = token.cachedAt.map { clocks.now.seconds(since: $0) }
    let trueAge = token.receivedMoment.flatMap { clocks.moment?.seconds(since: $0) }
    // Without a time of receipt the token counts as received now, so that only its expiry matters.
    let receivedAt = token.cachedAt ?? clocks.now
    let lifetime = max(expiresAt.seconds(since: receivedAt), 0)
    let margin = token.cachedAt == nil ? marginSeconds : min(marginSeconds, lifetime / 2)
    let usable = lifetime &- margin
    let age = trueAge ?? wallAge ?? 0
    let refreshAge = token.refreshAt.map { max($0.seconds(since: receivedAt), 0) }
    isDue = refreshAge.map { $0 <= age } ?? false
    // From the future: the clock was set back since, and the expiry means nothing. Clocks may differ by a minute.
    guard age < usable, age >= -60 else {
      (verdict, secondsLeft) = (.over, 0)
      return
    }
    let end = isDue ? usable : min(usable, refreshAge ?? usable)
    secondsLeft = Instant(secondsSince1970: end).seconds(since: Instant(secondsSince1970: age))
    let limit = Instant(secondsSince1970: usable).adding(seconds: TokenExpiry.tolerance)
    verdict = (wallAge ?? 0) < limit.secondsSince1970 ? .usable : .doubtful
  }

  /// Seconds by which two clocks may differ that were read one after the other, in whole seconds.
  private static let tolerance: Int64 = 5
}
