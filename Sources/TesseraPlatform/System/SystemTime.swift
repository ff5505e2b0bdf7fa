// SPDX-License-Identifier: MIT
// The clock of the system or of the host application.

package import CLibrary
import TesseraCache
package import TesseraEngine
package import TesseraWire

/// Returns the time of a clock in nanoseconds; zero if the system does not have the clock.
package func nanoseconds(of clock: clockid_t) -> UInt64 {
  var reading = timespec()
  guard clock_gettime(clock, &reading) == 0 else { return 0 }
  let seconds = UInt64(clamping: reading.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  return seconds.overflow ? .max : seconds.partialValue.adding(UInt64(clamping: reading.tv_nsec))
}

extension timespec {
  /// Creates a duration or a clock reading.
  package init(nanoseconds: UInt64) {
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

/// The clocks of the system.
package struct SystemTime: TimeSource {
  #if canImport(Darwin)
    private static let monotonic = CLOCK_MONOTONIC
    private static let wall = CLOCK_REALTIME
  #else
    /// The wall clock.
    ///
    /// Its resolution of some milliseconds suffices for whole seconds, at a twentieth of the cost.
    private static let wall = CLOCK_REALTIME_COARSE
    /// The boot-time clock, which also advances while the machine sleeps.
    ///
    /// Device codes expire during that time too, and a timeout must not restart after it.
    private static let monotonic = CLOCK_BOOTTIME
  #endif

  /// The maximum duration of one sleep, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let longestSleep: UInt64 = 1_000_000_000

  /// Creates the clocks.
  package init() {}

  /// The time of the wall clock.
  package var now: Instant {
    Instant(
      secondsSince1970: Int64(clamping: nanoseconds(of: SystemTime.wall) / 1_000_000_000))
  }

  /// The nanoseconds since the machine was started.
  package var monotonicNanoseconds: UInt64 { nanoseconds(of: SystemTime.monotonic) }

  /// The identifier of the machine's current boot: a hash of its boot ID and time namespace.
  ///
  /// Nil if the monotonic clock stops while the machine sleeps, or differs between processes.
  package var boot: String? { SystemTime.hashedBootID }

  private static let hashedBootID: String? = {
    #if os(Linux)
      var buffer = [UInt8](repeating: 0, count: 64)
      let descriptor = openFile("/proc/sys/kernel/random/boot_id", O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 32 else { return nil }
      // A time namespace has its own boot-time clock (time_namespaces(7)).
      var name = [CChar](repeating: 0, count: 64)
      let length = max(readlink("/proc/self/ns/time", &name, name.count), 0)
      let bytes = buffer.prefix(count) + name.prefix(length).map(UInt8.init(bitPattern:))
      let text = "boot \(String(decoding: bytes, as: UTF8.self))"
      // The boot ID should not be disclosed (machine-id(5)), so only its hash is stored.
      return String(RecordKey.number(of: text), radix: 36)
    #else
      return nil
    #endif
  }()

  /// Waits on the calling thread.
  ///
  /// - Throws: `cancelled` at the limits.
  package func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError) {
    try sleep(nanoseconds: nanoseconds, atMost: SystemTime.longestSleep, within: limits)
  }
}

extension TimeSource {
  /// Sleeps on the system's clock until this clock or the system's has advanced.
  ///
  /// - Parameter longest: The maximum duration of one sleep, in nanoseconds. This clock is read after each sleep.
  /// - Throws: `cancelled` at the limits.
  func sleep(
    nanoseconds: UInt64, atMost longest: UInt64, within limits: CallLimits
  ) throws(TesseraError) {
    let isCancelled = Monitor(false)
    let ends = (
      monotonicNanoseconds.adding(nanoseconds),
      real: SystemTime().monotonicNanoseconds.adding(nanoseconds)
    )
    guard let cancellation = limits.cancellation else {
      return try sleep(until: ends, or: isCancelled, atMost: longest, within: limits)
    }
    let waker: @Sendable () -> Void = { isCancelled.change { $0 = true } }
    try cancellation.waking(with: waker) { () throws(TesseraError) in
      try sleep(until: ends, or: isCancelled, atMost: longest, within: limits)
    }
  }

  private func sleep(
    until ends: (UInt64, real: UInt64), or isCancelled: Monitor<Bool>, atMost longest: UInt64,
    within limits: CallLimits
  ) throws(TesseraError) {
    while true {
      try limits.check(self)
      let (now, realNow) = (monotonicNanoseconds, SystemTime().monotonicNanoseconds)
      guard now < ends.0, realNow < ends.real else { return }
      let span = min(
        ends.0 - now, ends.real - realNow, limits.nanosecondsLeft(self) ?? .max, longest)
      _ = isCancelled.wait(nanoseconds: span) { $0 ? true : nil }
    }
  }
}

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
