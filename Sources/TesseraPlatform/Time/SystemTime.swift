// SPDX-License-Identifier: MIT
// The time as the system tells it, and waits that end on demand.

package import TesseraEngine
package import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's clocks.
package struct SystemTime: TimeSource {
  #if canImport(Darwin)
    private static let monotonic = CLOCK_MONOTONIC
  #else
    /// The clock that also counts while the machine sleeps: the server's device codes go on expiring, and a
    /// caller who allowed ten seconds does not want the rest of them after lunch.
    private static let monotonic = CLOCK_BOOTTIME
  #endif

  /// The longest single sleep, so that a wait notices soon that the machine slept through its end.
  private static let longestSleep: UInt64 = 1_000_000_000

  /// The system's clocks.
  package init() {}

  /// The wall clock.
  package var now: Instant {
    Instant(
      secondsSince1970: Int64(clamping: nanoseconds(of: CLOCK_REALTIME) / 1_000_000_000))
  }

  /// Nanoseconds since the machine was started.
  package var monotonicNanoseconds: UInt64 { nanoseconds(of: SystemTime.monotonic) }

  /// The kernel's identifier of this start (proc_sys_kernel(5), random/boot_id).
  package var boot: String? {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    guard read(descriptor, &bytes, bytes.count) == bytes.count else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits on the calling thread, at most until the limits are reached.
  package func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError) {
    let isCancelled = Monitor(false)
    let end = monotonicNanoseconds.adding(nanoseconds)
    guard let cancellation = limits.cancellation else {
      return try sleep(until: end, or: isCancelled, within: limits)
    }
    let waker: @Sendable () -> Void = { isCancelled.change { $0 = true } }
    try cancellation.waking(with: waker) { () throws(TesseraError) in
      try sleep(until: end, or: isCancelled, within: limits)
    }
  }

  private func sleep(
    until end: UInt64, or isCancelled: Monitor<Bool>, within limits: CallLimits
  ) throws(TesseraError) {
    while true {
      try limits.check(self)
      let now = monotonicNanoseconds
      guard now < end else { return }
      let span = min(end - now, limits.nanosecondsLeft(self) ?? .max, SystemTime.longestSleep)
      _ = isCancelled.wait(nanoseconds: span) { $0 ? true : nil }
    }
  }
}
