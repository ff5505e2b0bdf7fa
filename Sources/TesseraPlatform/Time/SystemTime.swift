// SPDX-License-Identifier: MIT
// The time as the system tells it, and waits that end on demand.

import TesseraCache
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
    private static let wall = CLOCK_REALTIME
  #else
    /// Good to some milliseconds, which is plenty for whole seconds, at a twentieth of the cost.
    private static let wall = CLOCK_REALTIME_COARSE
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
      secondsSince1970: Int64(clamping: nanoseconds(of: SystemTime.wall) / 1_000_000_000))
  }

  /// Nanoseconds since the machine was started.
  package var monotonicNanoseconds: UInt64 { nanoseconds(of: SystemTime.monotonic) }

  /// The run of this machine, as a hash of its boot id and time namespace; nil where the monotonic clock stops while the
  /// machine sleeps, or is not the same for all processes.
  package var boot: String? { SystemTime.run }

  private static let run: String? = {
    #if os(Linux)
      var buffer = [UInt8](repeating: 0, count: 64)
      let descriptor = openFile("/proc/sys/kernel/random/boot_id", O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 32 else { return nil }
      // A time namespace has a boot clock of its own (time_namespaces(7)).
      var name = [CChar](repeating: 0, count: 64)
      let length = max(readlink("/proc/self/ns/time", &name, name.count), 0)
      let text = "boot \(buffer.prefix(count)) \(name.prefix(length))"
      // The id itself is nobody's business (machine-id(5)), so that only its hash is stored.
      return String(RecordKey.number(of: text), radix: 36)
    #else
      return nil
    #endif
  }()

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
