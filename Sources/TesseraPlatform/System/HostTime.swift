// SPDX-License-Identifier: MIT
// The clock of a host application as the clock of the engine.

package import TesseraEngine
package import TesseraWire

extension HostPorts {
  /// The clock of an application: that of the host application, or the system's.
  package var time: any TimeSource { clock.map { HostTime($0) } ?? SystemTime() }
}

/// The clock of a host application.
///
/// A wait sleeps on the system's clock. It ends when the host's clock has reached its end, or when that time has really
/// passed: a lock that another process releases must be noticed even if the host's clock stands still.
package struct HostTime: TimeSource {
  /// The maximum duration of one sleep, in nanoseconds.
  ///
  /// A clock that another thread sets forward is noticed within this time.
  private static let longestSleep: UInt64 = 10_000_000

  private let clock: any HostClock

  /// Creates the clock of the engine.
  package init(_ clock: any HostClock) {
    self.clock = clock
  }

  package var now: Instant { Instant(secondsSince1970: clock.secondsSince1970) }

  package var monotonicNanoseconds: UInt64 { clock.monotonicNanoseconds }

  /// Nil: other processes may use other clocks.
  package var boot: String? { nil }

  package func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError) {
    try sleep(nanoseconds: nanoseconds, atMost: HostTime.longestSleep, within: limits)
  }
}
