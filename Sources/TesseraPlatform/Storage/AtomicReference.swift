// SPDX-License-Identifier: MIT
// A reference that is set rarely and read by every thread without a lock.

import Synchronization

/// A reference to an object, nil at first.
///
/// An object that is replaced is never freed: a thread may be using it.
///
/// Reading takes one load: no lock that a fork() could leave held, and no reference count that threads would share.
final class AtomicReference<Object: AnyObject & Sendable>: Sendable {
  private let address = Atomic<UInt>(0)

  deinit {
    AtomicReference.object(address.load(ordering: .acquiring))?.release()
  }

  /// Hands the object to a function; inlined, since otherwise its count would be touched.
  @inline(__always)
  func borrowed<Value>(_ body: (Object?) -> Value) -> Value {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return body(nil)
    }
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// Whether there is an object of which something holds.
  ///
  /// It is for what every hit asks: an optional on the way would be counted.
  @inline(__always)
  func holds(_ condition: (Object) -> Bool) -> Bool {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return false
    }
    return object._withUnsafeGuaranteedRef(condition)
  }

  /// Puts an object in place of another; returns the one that is there afterwards.
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
