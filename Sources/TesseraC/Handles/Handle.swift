// SPDX-License-Identifier: MIT
// The handles of the C interface.

import Tessera

/// The memory that an opaque C pointer refers to.
///
/// The object is used without changing its reference count. If two threads share that count, each change costs four
/// times as much as a cache hit.
struct Handle<Object: AnyObject, Extra> {
  private var magicNumber: UInt64
  private let object: Unmanaged<Object>
  /// The data of the handle in addition to the object.
  let extra: Extra

  /// Creates a handle, which retains the object.
  static func make(_ object: Object, _ extra: Extra, magicNumber: UInt64) -> OpaquePointer {
    let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    memory.initialize(
      to: Handle(magicNumber: magicNumber, object: Unmanaged.passRetained(object), extra: extra))
    return OpaquePointer(memory)
  }

  /// Returns the handle at a pointer; nil if it is NULL, misaligned or has another magic number.
  static func at(_ pointer: OpaquePointer?, magicNumber: UInt64) -> UnsafeMutablePointer<Handle>? {
    guard let pointer, UInt(bitPattern: pointer) % UInt(MemoryLayout<Handle>.alignment) == 0 else {
      return nil
    }
    let handle = UnsafeMutablePointer<Handle>(pointer)
    return handle.pointee.magicNumber == magicNumber ? handle : nil
  }

  /// Runs `body` with the object, without retaining it.
  ///
  /// The caller of the C function must keep the handle alive during the call.
  func borrowed<Value, Failure: Error>(
    _ body: (Object) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The closure does not retain the object, and returns a thrown error as a value.
    try object._withUnsafeGuaranteedRef { object in
      do throws(Failure) {
        return Result<Value, Failure>.success(try body(object))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Frees a handle, releases its object and returns its additional data; nil if the pointer is not such a handle.
  static func free(_ pointer: OpaquePointer?, magicNumber: UInt64) -> Extra? {
    guard let handle = at(pointer, magicNumber: magicNumber) else { return nil }
    handle.pointee.magicNumber = 0
    let old = handle.move()
    handle.deallocate()
    old.object.release()
    return old.extra
  }
}

/// The handle of a cancellation.
typealias CancellationHandle = Handle<Cancellation, Void>

extension Handle where Object == Cancellation, Extra == Void {
  /// The magic number of a cancellation handle: "TESSSTOP" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_5354_4F50 }

  /// Returns the cancellation of the handle at a pointer; nil for NULL.
  ///
  /// - Throws: `fixRequest` if the pointer is not NULL and is not a cancellation.
  static func optional(_ pointer: OpaquePointer?) throws(TesseraError) -> Cancellation? {
    guard pointer != nil else { return nil }
    guard let handle = at(pointer, magicNumber: magicNumber) else {
      throw CBridge.missing("cancellation")
    }
    return handle.pointee.borrowed { $0 }
  }

  /// Whether a call with the pointer may start: it is NULL, or a cancellation that was not cancelled.
  static func allowsCall(_ pointer: OpaquePointer?) -> Bool {
    guard pointer != nil else { return true }
    return at(pointer, magicNumber: magicNumber)?.pointee.borrowed { !$0.isCancelled } ?? false
  }
}
