// SPDX-License-Identifier: MIT
// The port to the clock of a host application.

/// The clock of a host application, such as one that simulates time.
///
/// It determines when tokens expire and when calls time out. Both properties are read often, on any thread, and must not
/// block.
public protocol HostClock: Sendable {
  /// The wall clock, in seconds since 1970 (UTC).
  var secondsSince1970: Int64 { get }

  /// The monotonic clock, in nanoseconds since an arbitrary time.
  ///
  /// It never decreases, users cannot set it, and it also advances while the machine sleeps. A call that waits ends when
  /// this clock has reached its deadline. If the clock stops, cancel the call.
  var monotonicNanoseconds: UInt64 { get }
}
