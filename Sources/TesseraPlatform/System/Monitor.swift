// SPDX-License-Identifier: MIT
// A lock with a condition variable, for state that threads share and wait for.

import CLibrary

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
