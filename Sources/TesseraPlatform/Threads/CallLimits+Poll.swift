// SPDX-License-Identifier: MIT
// How long a poll may take.

package import TesseraEngine

extension CallLimits {
  /// Milliseconds until the limits, or until a span is over if that is sooner; rounded up, so that nothing is polled twice.
  package func pollMilliseconds(atMost nanoseconds: UInt64, _ time: any TimeSource) -> Int32 {
    let span = min(nanosecondsLeft(time) ?? .max, nanoseconds)
    return Int32(clamping: span / 1_000_000 + (span % 1_000_000 == 0 ? 0 : 1))
  }
}
