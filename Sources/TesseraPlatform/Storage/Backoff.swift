// SPDX-License-Identifier: MIT
// Waiting for a lock that nobody announces: short pauses that grow, bounded so that a free lock is seen soon.

package import TesseraEngine

/// Pauses between two looks at a lock.
package struct Backoff {
  /// A lock that became free is seen within this time.
  private static let longest: UInt64 = 20_000_000
  private var next: UInt64 = 500_000

  package init() {}

  /// Waits before the next look.
  ///
  /// - Throws: `cancelled` when the call was cancelled, `storeBusy` when its deadline passed.
  package mutating func wait(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError)
  {
    do throws(TesseraError) {
      try time.wait(nanoseconds: next, within: limits)
    } catch {
      guard error.code == .deadlineExceeded else { throw error }
      throw TesseraError(
        .retryLater, .storeBusy,
        "Another process held the token store until the deadline: try again, or give it more time.")
    }
    next = min(next * 2, Backoff.longest)
  }
}
