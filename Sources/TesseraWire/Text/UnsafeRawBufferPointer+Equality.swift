// SPDX-License-Identifier: MIT
// A fast comparison of large buffers, 32 bytes at a time.

extension UnsafeRawBufferPointer {
  /// Whether two buffers contain the same bytes.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset + 32 <= count {
      guard
        loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
          == other.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      else { return false }
      offset += 32
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}
