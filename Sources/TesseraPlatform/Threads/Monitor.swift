// SPDX-License-Identifier: MIT
// State that threads share and wait for: a lock with a condition.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that threads change, and whose changes they wait for.
///
/// `Mutex` has no way to wait; this is the same with one.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    Monitor.initialise(changed)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value and wakes everybody who waits for a change.
  func change<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until a function finds in the value what it looks for; nil when the time is over.
  ///
  /// The function may change the value.
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
    private static func initialise(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
      pthread_cond_init(condition, nil)
    }

    private func sleep(from now: UInt64, to end: UInt64) {
      var span = timespec(nanoseconds: end - now)
      pthread_cond_timedwait_relative_np(changed, lock, &span)
    }
  }
#else
  extension Monitor {
    /// A condition that counts on the clock that nobody sets.
    private static func initialise(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
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
  /// The clock on which the condition counts.
  private static var now: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }
}
