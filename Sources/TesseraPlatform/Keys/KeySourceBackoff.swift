// SPDX-License-Identifier: MIT
// Back-off for key sources that timed out.

import TesseraEngine

/// The key sources that timed out recently, which are skipped for one minute.
final class KeySourceBackoff: Sendable {
  /// The duration of the back-off, in nanoseconds.
  private static let durationNanoseconds: UInt64 = 60_000_000_000

  private let time: any TimeSource
  /// The monotonic time at which the back-off of each source ends, in nanoseconds.
  private let backoffEnds = SpinLock([KeySource: UInt64]())

  /// Creates a back-off without sources.
  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Calls a source, unless it timed out recently.
  ///
  /// - Throws: The failure of the source; `timeout` without calling it during the back-off.
  func withBackoff<Value>(
    _ source: KeySource, _ body: () throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let now = time.monotonicNanoseconds
    guard backoffEnds.withLock({ $0[source] ?? 0 }) <= now else {
      throw .refused(
        .timeout, "it did not respond recently and is not called again for up to 1 minute")
    }
    do throws(KeyFailure) {
      return try body()
    } catch {
      if case .refused(.timeout, _) = error {
        let end = time.monotonicNanoseconds.adding(KeySourceBackoff.durationNanoseconds)
        backoffEnds.withLock { $0[source] = end }
      }
      throw error
    }
  }
}
