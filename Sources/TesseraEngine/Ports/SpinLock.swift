// SPDX-License-Identifier: MIT
// A spin lock for short critical sections that is safe to use across fork().

import CLibrary
import Synchronization

/// A value protected by a spin lock, for critical sections that never block.
///
/// `Mutex` is unsuitable for a library, because the host application may fork. On Linux it identifies its owner by thread
/// ID, which changes in the child, and contention then terminates the child. This lock identifies its owner by process ID.
/// If a thread of the parent held the lock during the fork, the child starts with a new value, because the old one may be
/// partly modified.
package final class SpinLock<Value>: @unchecked Sendable {
  private let holder = Atomic<Int32>(0)
  private let makeValue: @Sendable () -> Value
  /// Accessed only by the lock holder.
  private var value: UnsafeMutablePointer<Value>

  /// Creates a lock.
  ///
  /// `makeValue` creates the initial value, and a new one in a child process if the inherited value is unusable.
  package init(_ makeValue: @escaping @autoclosure @Sendable () -> Value) {
    self.makeValue = makeValue
    value = SpinLock.stored(makeValue())
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  ///
  /// `body` must neither block nor use the same lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    acquire()
    defer { holder.store(0, ordering: .releasing) }
    return try body(&value.pointee)
  }

  private func acquire() {
    let process = getpid()
    while true {
      let (isAcquired, other) = holder.compareExchange(
        expected: 0, desired: process, ordering: .acquiring)
      if isAcquired { return }
      guard other != process else {
        sched_yield()
        continue
      }
      let (isTakenOver, _) = holder.compareExchange(
        expected: other, desired: process, ordering: .acquiring)
      guard isTakenOver else { continue }
      // The old value is leaked, because it may be partly modified.
      value = SpinLock.stored(makeValue())
      return
    }
  }

  private static func stored(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }
}
