// SPDX-License-Identifier: MIT
// The port through which time passes.

package import TesseraWire

/// Tells the time, and waits.
package protocol TimeSource: Sendable {
  /// The wall clock, which people and suspended machines may set wrong.
  var now: Instant { get }

  /// Nanoseconds on a clock that never goes back; only differences mean something.
  var monotonicNanoseconds: UInt64 { get }

  /// Tells this start of this machine from every other one; nil where the system does not tell, or where the monotonic
  /// clock stops while the machine sleeps.
  ///
  /// Together with ``monotonicNanoseconds`` it makes a moment that other processes can compare with theirs.
  var boot: String? { get }

  /// Waits on the calling thread, at most until the limits are reached.
  func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError)
}

extension TimeSource {
  /// Now, for other processes of this machine; nil where that can't be told.
  package var moment: BootTime? {
    boot.map { BootTime(boot: $0, nanoseconds: monotonicNanoseconds) }
  }

  /// Both clocks now.
  package var clocks: Clocks { Clocks(now: now, moment: moment) }

  /// The monotonic clock some seconds from now, at most in a year.
  package func monotonicNanoseconds(inSeconds seconds: Int64) -> UInt64 {
    let (sum, overflow) = monotonicNanoseconds.addingReportingOverflow(.nanoseconds(in: seconds))
    return overflow ? .max : sum
  }
}

extension UInt64 {
  /// The nanoseconds of some seconds, at most of a year: no server's number can overflow.
  static func nanoseconds(in seconds: Int64) -> UInt64 {
    UInt64(clamping: Swift.min(seconds, 31_536_000)) * 1_000_000_000
  }
}
