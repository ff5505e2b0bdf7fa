// SPDX-License-Identifier: MIT
// The clock of the host application, as a clock of the engine.

import CTessera
import TesseraEngine
import TesseraPlatform

/// A clock that calls the host's callback.
///
/// After the application was freed, it advances with the system's monotonic clock, so that calls in progress end.
///
/// The host guarantees that its callback is safe to call from any thread.
final class CallbackClock: HostClock, @unchecked Sendable {
  /// The values that a callback writes.
  private struct Reading {
    var seconds: Int64 = 0
    var nanoseconds: UInt64 = 0
  }

  private let callback: tessera_clock_callback
  private let userData: UnsafeMutableRawPointer?
  private let callbackGuard: CallbackGuard
  /// The last reading, and the system's monotonic clock at that time; nil as long as the callback may be called.
  private let last = SpinLock<(reading: Reading, nanoseconds: UInt64)?>(nil)

  init(
    _ callback: @escaping tessera_clock_callback, _ userData: UnsafeMutableRawPointer?,
    _ callbackGuard: CallbackGuard
  ) {
    self.callback = callback
    self.userData = userData
    self.callbackGuard = callbackGuard
  }

  var secondsSince1970: Int64 { reading.seconds }

  var monotonicNanoseconds: UInt64 { reading.nanoseconds }

  /// Reads the host's clock for the last time.
  ///
  /// Call it before the callback guard is closed.
  func detach() {
    let reading = reading
    last.withLock { $0 = (reading, SystemTime().monotonicNanoseconds) }
  }

  private var reading: Reading {
    var read = Reading()
    if callbackGuard.enter({ callback(userData, &read.seconds, &read.nanoseconds) }) != nil {
      return read
    }
    guard let (reading, start) = last.withLock({ $0 }) else { return Reading() }
    let passed = SystemTime().monotonicNanoseconds &- start
    return Reading(
      seconds: reading.seconds &+ Int64(clamping: passed / 1_000_000_000),
      nanoseconds: reading.nanoseconds &+ passed)
  }
}
