// SPDX-License-Identifier: MIT
// Exponential backoff for polling a lock, with a small maximum so that a free lock is acquired soon.

package import TesseraEngine

/// The pauses between attempts to acquire a lock.
package struct Backoff {
  /// The longest pause, in nanoseconds, and so the longest delay until a free lock is noticed.
  private static let maximumNanoseconds: UInt64 = 20_000_000
  private var next: UInt64 = 500_000

  package init() {}

  /// Waits before the next attempt.
  ///
  /// - Throws: `cancelled` if the call was cancelled, `storeBusy` at its deadline.
  package mutating func wait(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError)
  {
    do throws(TesseraError) {
      try time.wait(nanoseconds: next, within: limits)
    } catch {
      guard error.code == .deadlineExceeded else { throw error }
      throw TesseraError(
        .retryLater, .storeBusy,
        "Timed out waiting for another thread or process that holds the token store: try again, or allow more time."
      )
    }
    next = min(next * 2, Backoff.maximumNanoseconds)
  }
}
