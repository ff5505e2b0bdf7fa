// SPDX-License-Identifier: MIT
// Lets many readers in at once, or one writer; nobody waits.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lets many readers in at once, or one writer.
///
/// Each reader counts itself in on a cache line of its own and gives up when somebody writes. A writer gives up when
/// readers do not leave soon, as after a fork() in the middle of a read.
struct TryReadWriteLock: @unchecked Sendable {
  /// A counter a cache line, so that two readers on two cores do not share one.
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

  func free() {
    memory.deallocate()
  }

  /// Reads, unless somebody writes.
  @inline(__always)
  func read<Value>(_ body: () -> Value?) -> Value? {
    let own = counter(TryReadWriteLock.stripe)
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { own.pointee.wrappingSubtract(1, ordering: .releasing) }
    guard writing.pointee.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
    return body()
  }

  /// Writes, unless somebody else does or readers stay.
  func write(_ body: () -> Void) {
    let (isMine, _) = writing.pointee.compareExchange(
      expected: 0, desired: 1, ordering: .sequentiallyConsistent)
    guard isMine else { return }
    defer { writing.pointee.store(0, ordering: .sequentiallyConsistent) }
    for index in 0..<TryReadWriteLock.stripes {
      var looks = 0
      while counter(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
        looks += 1
        guard looks < 1000 else { return }
        sched_yield()
      }
    }
    body()
  }

  @inline(__always)
  private func counter(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * TryReadWriteLock.stride).assumingMemoryBound(to: Atomic<Int>.self)
  }

  private var writing: UnsafeMutablePointer<Atomic<Int>> { counter(TryReadWriteLock.stripes) }

  /// The stripe of this thread: descriptors of threads lie pages apart, so their upper bits differ.
  private static var stripe: Int {
    // A number on Linux, a pointer on Darwin.
    let thread = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    return Int((thread >> 12 ^ thread >> 20) % UInt(stripes))
  }
}
