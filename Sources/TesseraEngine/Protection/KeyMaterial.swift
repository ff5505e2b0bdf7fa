// SPDX-License-Identifier: MIT
// The bytes of a key, overwritten when nobody uses them any more.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The bytes of a key.
///
/// They lie in memory of their own, are never copied by the runtime, and are overwritten before that memory is given back.
package final class KeyMaterial: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer

  /// Takes over the bytes; the array is the caller's to forget.
  package init(_ bytes: [UInt8]) {
    buffer = .allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyBytes(from: bytes)
  }

  deinit {
    KeyMaterial.overwrite(buffer)
    buffer.deallocate()
  }

  /// How many bytes there are.
  package var count: Int { buffer.count }

  /// Hands the bytes to a function; they are valid only while it runs.
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(buffer))
  }

  /// Overwrites memory, even if nobody reads it afterwards.
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
  /// Whether two keys are the same, in a time that tells nothing about where they differ.
  package static func == (left: KeyMaterial, right: KeyMaterial) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.buffer, right.buffer).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension KeyMaterial: CustomStringConvertible, CustomReflectable {
  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
