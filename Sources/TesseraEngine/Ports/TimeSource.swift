// SPDX-License-Identifier: MIT
// The port to the clocks.

package import TesseraWire

/// Provides the time, and waits.
package protocol TimeSource: Sendable {
  /// The wall clock, which users can set and which can be wrong after a suspend.
  var now: Instant { get }

  /// The monotonic clock in nanoseconds, with an arbitrary origin.
  var monotonicNanoseconds: UInt64 { get }

  /// An identifier of the current boot; `nil` if the system provides none, or if the monotonic clock stops during sleep.
  ///
  /// Together with ``monotonicNanoseconds`` it yields a timestamp that other processes can compare with theirs.
  var boot: String? { get }

  /// Blocks the calling thread for a time, at most until the limits are reached.
  func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError)
}

/// The time of both clocks, for the validation of cached responses.
package struct ClockReading: Sendable {
  /// The wall clock.
  package let now: Instant
  /// The monotonic clock.
  package let monotonicNanoseconds: UInt64

  package init(now: Instant, monotonicNanoseconds: UInt64) {
    self.now = now
    self.monotonicNanoseconds = monotonicNanoseconds
  }
}

extension TimeSource {
  /// The current time of both clocks.
  package var reading: ClockReading {
    ClockReading(now: now, monotonicNanoseconds: monotonicNanoseconds)
  }

  /// The current time on the boot-time clock, comparable across processes; `nil` if it is unavailable.
  package var bootTime: BootTime? {
    boot.map { BootTime(boot: $0, nanoseconds: monotonicNanoseconds) }
  }

  /// The current time of both clocks, for records.
  package var clocks: Clocks { Clocks(now: now, bootTime: bootTime) }

  /// Checks a condition every millisecond until it holds, or until a time has passed.
  package func poll(atMost milliseconds: Int64, until condition: () -> Bool) {
    let limits = CallLimits(timeoutMilliseconds: milliseconds, time: self)
    while !condition(), limits.nanosecondsLeft(self) != 0 {
      try? wait(nanoseconds: 1_000_000, within: limits)
    }
  }

  /// Returns the monotonic clock some seconds from now, at most one year.
  package func monotonicNanoseconds(inSeconds seconds: Int64) -> UInt64 {
    let (sum, overflow) = monotonicNanoseconds.addingReportingOverflow(.nanoseconds(in: seconds))
    return overflow ? .max : sum
  }
}

extension UInt64 {
  /// Converts seconds to nanoseconds, at most one year, so that no value from a server can cause an overflow.
  static func nanoseconds(in seconds: Int64) -> UInt64 {
    UInt64(clamping: Swift.min(seconds, 31_536_000)) * 1_000_000_000
  }
}
