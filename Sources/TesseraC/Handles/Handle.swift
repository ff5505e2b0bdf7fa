// SPDX-License-Identifier: MIT
// Objects behind C pointers: marked memory, so that NULL and garbage are told from a handle.

/// What a handle points at.
///
/// The object is reached without touching its reference count: a count shared by two threads costs four times the work
/// of a hit.
struct Handle<Object: AnyObject, Extra> {
  private var mark: UInt64
  private let object: Unmanaged<Object>
  /// What belongs to the handle and not to the object.
  let extra: Extra

  /// Makes a handle of an object.
  static func make(_ object: Object, _ extra: Extra, mark: UInt64) -> OpaquePointer {
    let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    memory.initialize(
      to: Handle(mark: mark, object: Unmanaged.passRetained(object), extra: extra))
    return OpaquePointer(memory)
  }

  /// The handle at a pointer; nil for NULL and for anything that is no such handle.
  static func at(_ pointer: OpaquePointer?, mark: UInt64) -> UnsafeMutablePointer<Handle>? {
    guard let pointer, UInt(bitPattern: pointer) % UInt(MemoryLayout<Handle>.alignment) == 0 else {
      return nil
    }
    let handle = UnsafeMutablePointer<Handle>(pointer)
    return handle.pointee.mark == mark ? handle : nil
  }

  /// Hands the object to a function; the caller of the C function keeps it alive meanwhile.
  func borrowed<Value, Failure: Error>(
    _ body: (Object) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Inside the closure nothing is counted; a thrown error leaves it as a value.
    try object._withUnsafeGuaranteedRef { object in
      do throws(Failure) {
        return Result<Value, Failure>.success(try body(object))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Ends the handle at a pointer and gives back what belonged to it.
  static func free(_ pointer: OpaquePointer?, mark: UInt64) -> Extra? {
    guard let handle = at(pointer, mark: mark) else { return nil }
    handle.pointee.mark = 0
    let old = handle.move()
    handle.deallocate()
    old.object.release()
    return old.extra
  }
}
