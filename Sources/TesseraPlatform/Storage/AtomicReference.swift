// SPDX-License-Identifier: MIT
// An atomic reference that is rarely set and read by many threads without a lock.

import Synchronization

/// An atomic reference to an object, initially nil.
///
/// A read takes one load: no lock that a fork() could leave held, and no reference count shared by threads. A replaced
/// object is therefore never freed, because a thread may still be using it.
final class AtomicReference<Object: AnyObject & Sendable>: Sendable {
  private let address = Atomic<UInt>(0)

  deinit {
    AtomicReference.object(address.load(ordering: .acquiring))?.release()
  }

  /// Passes the object to `body`.
  ///
  /// Inlined to avoid touching its reference count.
  @inline(__always)
  func borrowed<Value>(_ body: (Object?) -> Value) -> Value {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return body(nil)
    }
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// Whether an object is set and satisfies a condition.
  ///
  /// Every cache hit calls this function. An intermediate optional would touch the reference count.
  @inline(__always)
  func satisfies(_ condition: (Object) -> Bool) -> Bool {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return false
    }
    return object._withUnsafeGuaranteedRef(condition)
  }

  /// Replaces `old` with `new` if it is still set, and returns the object that is set afterwards.
  func replace(_ old: Object?, with new: Object) -> Object {
    let expected = old.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    let desired = Unmanaged.passRetained(new)
    let (exchanged, current) = address.compareExchange(
      expected: expected, desired: UInt(bitPattern: desired.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard !exchanged else { return new }
    desired.release()
    return AtomicReference.object(current)?.takeUnretainedValue() ?? new
  }

  private static func object(_ address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<Object>.fromOpaque($0) }
  }
}
