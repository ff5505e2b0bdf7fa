// SPDX-License-Identifier: MIT
// Until when one call may take, and what ends it earlier.

/// The deadline and the cancellation of one call; every function that can wait takes one.
package struct CallLimits: Sendable {
  /// The reading of the monotonic clock at which the call ends; nil for no deadline.
  package var deadlineNanoseconds: UInt64?
  /// What ends the call earlier.
  package var cancellation: Cancellation?

  /// Limits of a call that begins now.
  package init(
    timeoutMilliseconds: Int64? = nil, cancellation: Cancellation? = nil, time: any TimeSource
  ) {
    deadlineNanoseconds = timeoutMilliseconds.map { milliseconds in
      let wait = UInt64(max(milliseconds, 0)).multipliedReportingOverflow(by: 1_000_000)
      let end = time.monotonicNanoseconds.addingReportingOverflow(wait.partialValue)
      return wait.overflow || end.overflow ? .max : end.partialValue
    }
    self.cancellation = cancellation
  }

  /// Nothing ends the call.
  private init() {}

  /// No limits at all.
  package static let none = CallLimits()

  /// These limits, with a deadline for a call that has none: every wait ends.
  package func bounded(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    guard deadlineNanoseconds == nil else { return self }
    return CallLimits(timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
  }

  /// These limits, but not more than some milliseconds from now.
  package func atMost(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    var limits = CallLimits(
      timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
    if let own = deadlineNanoseconds, own < limits.deadlineNanoseconds ?? .max {
      limits.deadlineNanoseconds = own
    }
    return limits
  }

  /// Half of the time that is left, so that as much stays for what comes after; nil without a deadline.
  package func half(_ time: any TimeSource) -> CallLimits? {
    nanosecondsLeft(time).map { left in
      atMost(milliseconds: Int64(clamping: left / 2_000_000), time)
    }
  }

  /// Nanoseconds until the deadline: zero when it has passed, nil without one.
  package func nanosecondsLeft(_ time: any TimeSource) -> UInt64? {
    guard let deadlineNanoseconds else { return nil }
    let now = time.monotonicNanoseconds
    return deadlineNanoseconds > now ? deadlineNanoseconds - now : 0
  }

  /// Throws when the call has to end now.
  package func check(_ time: any TimeSource) throws(TesseraError) {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if nanosecondsLeft(time) == 0 { throw .deadlineExceeded() }
  }
}
