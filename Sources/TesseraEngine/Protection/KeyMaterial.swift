// SPDX-License-Identifier: MIT
// The bytes of a key, which are overwritten when they are released.

import CLibrary

/// The bytes of a key.
///
/// They are in a separate allocation, are never copied by the runtime, and are overwritten before the memory is freed.
package final class KeyMaterial: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// Copies the bytes.
  ///
  /// The caller must clear the array.
  package init(_ bytes: [UInt8]) {
    buffer = .allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyBytes(from: bytes)
  }

  deinit {
    KeyMaterial.overwrite(buffer)
    buffer.deallocate()
  }

  /// The number of bytes.
  package var count: Int { buffer.count }

  /// Calls `body` with the bytes, which are valid only during the call.
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(buffer))
  }

  /// Overwrites memory in a way that the compiler does not optimize out.
  package static func overwrite(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count > 0 else { return }
    #if canImport(Darwin)  // allowed: each C library has its own name for it
      memset_s(start, memory.count, 0, memory.count)
    #else
      explicit_bzero(start, memory.count)
    #endif
  }
}

extension KeyMaterial: Equatable {
  /// Whether two keys are equal, compared in constant time.
  package static func == (left: KeyMaterial, right: KeyMaterial) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.buffer, right.buffer).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension KeyMaterial: CustomStringConvertible, CustomReflectable {
  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
