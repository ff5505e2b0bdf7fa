// SPDX-License-Identifier: MIT
// The deadline and the cancellation of one call.

import TesseraWire

/// The deadline and the cancellation of one call.
///
/// Every function that can block has a parameter of this type.
package struct CallLimits: Sendable {
  /// The deadline on the monotonic clock, in nanoseconds; `nil` for none.
  package var deadlineNanoseconds: UInt64?
  /// The cancellation of the call.
  package var cancellation: Cancellation?

  /// Creates the limits of a call that starts now.
  package init(
    timeout: Duration? = nil, cancellation: Cancellation? = nil, time: any TimeSource
  ) {
    deadlineNanoseconds = timeout.map { timeout in
      let wait = UInt64(max(timeout.wholeNanoseconds, 0))
      let end = time.monotonicNanoseconds.addingReportingOverflow(wait)
      return end.overflow ? .max : end.partialValue
    }
    self.cancellation = cancellation
  }

  /// Creates the limits of a call that starts now, with a timeout in milliseconds.
  package init(
    timeoutMilliseconds: Int64?, cancellation: Cancellation? = nil, time: any TimeSource
  ) {
    self.init(
      timeout: timeoutMilliseconds.map { .milliseconds($0) }, cancellation: cancellation, time: time
    )
  }

  /// Creates limits without a deadline or cancellation.
  private init() {}

  /// The time to receive the rest of a response that has begun at the limits, in milliseconds.
  ///
  /// It applies to requests that spend a credential. With ``commitMilliseconds`` and ``rereadMilliseconds``, a call ends within
  /// five seconds of its limits.
  package static let responseMilliseconds: Int64 = 2_000
  /// The time to store a response, in milliseconds.
  package static let commitMilliseconds: Int64 = 2_500
  /// The time to read the store again after a commit has failed, in milliseconds.
  package static let rereadMilliseconds: Int64 = 500

  /// No deadline and no cancellation.
  package static let none = CallLimits()

  /// Returns these limits, with a deadline added if there is none, so that every wait ends.
  package func bounded(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    guard deadlineNanoseconds == nil else { return self }
    return CallLimits(timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
  }

  /// Returns these limits with a deadline of at most some milliseconds from now.
  package func atMost(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    var limits = CallLimits(
      timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
    if let own = deadlineNanoseconds, own < limits.deadlineNanoseconds ?? .max {
      limits.deadlineNanoseconds = own
    }
    return limits
  }

  /// Returns limits with half of the remaining time, to reserve the rest for the next step; `nil` without a deadline.
  package func half(_ time: any TimeSource) -> CallLimits? {
    nanosecondsLeft(time).map { left in
      atMost(milliseconds: Int64(clamping: left / 2_000_000), time)
    }
  }

  /// Returns the nanoseconds until the deadline: zero if it has passed, `nil` without one.
  package func nanosecondsLeft(_ time: any TimeSource) -> UInt64? {
    guard let deadlineNanoseconds else { return nil }
    let now = time.monotonicNanoseconds
    return deadlineNanoseconds > now ? deadlineNanoseconds - now : 0
  }

  /// Returns the time until the deadline: zero if it has passed, `nil` without one.
  package func timeLeft(_ time: any TimeSource) -> Duration? {
    nanosecondsLeft(time).map { .nanoseconds(Int64(clamping: $0)) }
  }

  /// Throws if the call was cancelled or its deadline has passed.
  package func check(_ time: any TimeSource) throws(TesseraError) {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if nanosecondsLeft(time) == 0 { throw .deadlineExceeded() }
  }
}
