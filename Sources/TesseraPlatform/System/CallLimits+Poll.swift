// SPDX-License-Identifier: MIT
// The timeout of poll(2) for the limits of a call.

package import TesseraEngine

extension CallLimits {
  /// Returns the time until the limits, or the given time if that is shorter, in milliseconds.
  ///
  /// The time is rounded up, so that a poll does not return before the limits.
  package func pollMilliseconds(
    atMost nanoseconds: UInt64 = 1_000_000_000, _ time: any TimeSource
  ) -> Int32 {
    let span = min(nanosecondsLeft(time) ?? .max, nanoseconds)
    return Int32(clamping: span / 1_000_000 + (span % 1_000_000 == 0 ? 0 : 1))
  }

  /// Runs an operation that polls a pipe, which the cancellation makes readable.
  package func waking<Value, Failure: Error>(
    _ wake: WakePipe, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let cancellation else { return try body() }
    return try cancellation.waking(with: { wake.wake() }, body)
  }
}
