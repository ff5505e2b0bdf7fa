// SPDX-License-Identifier: MIT
// The clocks of the system, in nanoseconds.

import CLibrary

/// Returns the time of a clock in nanoseconds; zero if the system does not have the clock.
func nanoseconds(of clock: clockid_t) -> UInt64 {
  var reading = timespec()
  guard clock_gettime(clock, &reading) == 0 else { return 0 }
  let seconds = UInt64(clamping: reading.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  return seconds.overflow ? .max : seconds.partialValue.adding(UInt64(clamping: reading.tv_nsec))
}

extension timespec {
  /// Creates a duration or a clock reading.
  init(nanoseconds: UInt64) {
    self.init(
      tv_sec: .init(clamping: nanoseconds / 1_000_000_000),
      tv_nsec: .init(clamping: nanoseconds % 1_000_000_000))
  }
}

extension UInt64 {
  /// Returns the sum, or the maximum on overflow.
  func adding(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
