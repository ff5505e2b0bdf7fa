// SPDX-License-Identifier: MIT
// Whether bytes are the same, 32 of them at a time: caches are long.

extension UnsafeRawBufferPointer {
  /// Whether here are the same bytes as there.
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
