// SPDX-License-Identifier: MIT
// A non-blocking reader–writer lock (try-lock only) with striped reader counts.

import CLibrary
import Synchronization

/// A reader–writer lock that never blocks.
///
/// Any number of readers, or one writer, hold the lock at a time. An attempt that cannot succeed returns at once. Readers
/// are counted in one of several stripes, selected by thread, so they rarely share a cache line.
///
/// A child forked during a read inherits a reader count that never returns to zero. Writers in that child give up after a
/// bounded number of retries. Readers are not affected.
///
/// The caller owns the memory and must call ``free()`` after the last use.
struct TryReadWriteLock: @unchecked Sendable {
  /// The number of reader counts.
  ///
  /// Each occupies its own cache lines, to avoid false sharing.
  private static let stripes = 32
  private static let stride = 128

  private let memory: UnsafeMutableRawPointer

  init() {
    let size = TryReadWriteLock.stride * (TryReadWriteLock.stripes + 1)
    memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: TryReadWriteLock.stride)
    for index in 0...TryReadWriteLock.stripes {
      (memory + index * TryReadWriteLock.stride).bindMemory(to: Atomic<Int>.self, capacity: 1)
        .initialize(to: Atomic(0))
    }
  }

  /// Frees the memory of the lock.
  ///
  /// No thread may use the lock afterwards.
  func free() {
    memory.deallocate()
  }

  /// Runs `body` with a read lock.
  ///
  /// - Returns: The result of `body`, or `nil` without running it if a writer holds the lock.
  @inline(__always)
  func read<Value>(_ body: () -> Value?) -> Value? {
    let own = counter(TryReadWriteLock.stripe)
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { own.pointee.wrappingSubtract(1, ordering: .releasing) }
    guard writing.pointee.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
    return body()
  }

  /// Runs `body` with the write lock.
  ///
  /// Does not run `body` if another writer holds the lock, or if readers still hold it after 1000 retries per stripe.
  func write(_ body: () -> Void) {
    let (isAcquired, _) = writing.pointee.compareExchange(
      expected: 0, desired: 1, ordering: .sequentiallyConsistent)
    guard isAcquired else { return }
    defer { writing.pointee.store(0, ordering: .sequentiallyConsistent) }
    for index in 0..<TryReadWriteLock.stripes {
      var retries = 0
      while counter(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
        retries += 1
        guard retries < 1000 else { return }
        sched_yield()
      }
    }
    body()
  }

  @inline(__always)
  private func counter(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * TryReadWriteLock.stride).assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// 1 while a writer holds or waits for the lock; stored after the last stripe.
  private var writing: UnsafeMutablePointer<Atomic<Int>> { counter(TryReadWriteLock.stripes) }

  /// The stripe of the calling thread.
  ///
  /// Thread descriptors are at least a page apart, so the hash uses the upper bits of the address.
  private static var stripe: Int {
    // pthread_t is an integer on Linux and a pointer on Darwin.
    let thread = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    return Int((thread >> 12 ^ thread >> 20) % UInt(stripes))
  }
}
