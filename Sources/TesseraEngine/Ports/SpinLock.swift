// SPDX-License-Identifier: MIT
// A lock for moments, that a fork() can neither leave held nor confuse.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that several threads change, one at a time, for moments in which nobody waits for anything.
///
/// `Mutex` is not for a library that lives in any host: on Linux it knows its holder by a thread's number, which is another
/// one in a child of fork(), and a contended one ends that child. Here the holder is known by its process. What a thread of
/// the parent held at the fork starts afresh in the child: nobody knows how far that thread had come.
package final class SpinLock<Value>: @unchecked Sendable {
  private let holder = Atomic<Int32>(0)
  private let fresh: @Sendable () -> Value
  /// Only touched by the holder.
  private var value: UnsafeMutablePointer<Value>

  /// A lock on a value, which is made again when a fork() made the old one useless.
  package init(_ fresh: @escaping @autoclosure @Sendable () -> Value) {
    self.fresh = fresh
    value = SpinLock.stored(fresh())
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs with the value; the body must neither wait nor use the same lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    take()
    defer { holder.store(0, ordering: .releasing) }
    return try body(&value.pointee)
  }

  private func take() {
    let process = getpid()
    while true {
      let (isMine, other) = holder.compareExchange(
        expected: 0, desired: process, ordering: .acquiring)
      if isMine { return }
      guard other != process else {
        sched_yield()
        continue
      }
      let (isTaken, _) = holder.compareExchange(
        expected: other, desired: process, ordering: .acquiring)
      guard isTaken else { continue }
      // The old value is left where it is: it may be half changed.
      value = SpinLock.stored(fresh())
      return
    }
  }

  private static func stored(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }
}
