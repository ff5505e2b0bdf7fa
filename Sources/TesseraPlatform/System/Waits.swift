// SPDX-License-Identifier: MIT
// Waits of a thread that other threads, processes and signals can end.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// A value protected by a lock, with waits for its changes.
///
/// `Mutex` has no condition variable.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    Monitor.initializeCondition(changed)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value and wakes all waiting threads.
  func change<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until a function returns a value; nil after the timeout.
  ///
  /// The function runs under the lock, at the start and after each change. It may change the value.
  func wait<Value>(nanoseconds: UInt64, until body: (inout State) -> Value?) -> Value? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let end = Monitor.now.adding(nanoseconds)
    while true {
      if let value = body(&state) { return value }
      let now = Monitor.now
      guard now < end else { return nil }
      sleep(from: now, to: end)
    }
  }
}

#if canImport(Darwin)
  extension Monitor {
    private static func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      pthread_cond_init(condition, nil)
    }

    private func sleep(from now: UInt64, to end: UInt64) {
      var span = timespec(nanoseconds: end - now)
      pthread_cond_timedwait_relative_np(changed, lock, &span)
    }
  }
#else
  extension Monitor {
    /// Initializes a condition variable on the monotonic clock, which is not affected by changes of the wall clock.
    private static func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    private func sleep(from now: UInt64, to end: UInt64) {
      var end = timespec(nanoseconds: end)
      pthread_cond_timedwait(changed, lock, &end)
    }
  }
#endif

extension Monitor {
  /// The current time on the clock of the condition variable, in nanoseconds.
  private static var now: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }
}

/// A descriptor with which another thread ends a poll.
package final class WakePipe: Sendable {
  /// The descriptor to poll.
  ///
  /// It is readable from ``wake()`` until ``reset()``.
  package let descriptor: Int32
  private let writeEnd: Int32

  /// Creates a pipe; nil if no descriptor is left.
  package init?() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else { return nil }
    descriptor = pair[0]
    writeEnd = pair[1]
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait, and all later ones until ``reset()`` is called.
  package func wake() {
    _ = withUnsafeBytes(of: UInt8(1)) { write(writeEnd, $0.baseAddress, 1) }
  }

  /// Resets the pipe, so that later waits block again.
  package func reset() {
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }

  /// Waits until ``wake()`` is called or the timeout has passed.
  package func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}

extension CallLimits {
  /// Returns the time until the limits, or the given time if that is shorter, in milliseconds.
  ///
  /// The time is rounded up, so that a poll does not return before the limits.
  package func pollMilliseconds(
    atMost nanoseconds: UInt64 = 1_000_000_000, _ time: any TimeSource
  ) -> Int32 {
    let span = min(nanosecondsLeft(time) ?? .max, nanoseconds)
    return Int32(clamping: span / 1_000_000 + (span % 1_000_000 == 0 ? 0 : 1))
  }

  /// Runs an operation that polls a pipe, which the cancellation makes readable.
  package func waking<Value, Failure: Error>(
    _ wake: WakePipe, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let cancellation else { return try body() }
    return try cancellation.waking(with: { wake.wake() }, body)
  }
}

/// A signal that the kernel sends to the thread that writes.
package struct BlockedSignal {
  private let number: Int32

  /// The signal of a write to a connection without a reader.
  static let brokenPipe = BlockedSignal(number: SIGPIPE)
  /// The signal of a write beyond the file size limit of the process.
  package static let fileSize = BlockedSignal(number: SIGXFSZ)

  /// Runs a function that may raise the signal on the calling thread.
  ///
  /// The signal is blocked and then discarded.
  ///
  /// The disposition of the signal, which belongs to the host application, is not changed.
  package func blocked<Value, Failure: Error>(
    during body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var saved = ctessera_blocked_signal()
    ctessera_signal_block(&saved, number)
    defer { ctessera_signal_restore(&saved) }
    return try body()
  }
}
