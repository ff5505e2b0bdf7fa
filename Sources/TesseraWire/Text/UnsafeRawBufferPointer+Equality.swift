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
    while offset + 8 <= count {
      guard
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// Whether these bytes come before others, as `memcmp` orders them; a beginning comes before the whole.
  package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let common = Swift.min(count, other.count)
    var offset = 0
    while offset + 8 <= common {
      let left = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let right = other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard left == right else { return left.bigEndian < right.bigEndian }
      offset += 8
    }
    while offset < common {
      guard self[offset] == other[offset] else { return self[offset] < other[offset] }
      offset += 1
    }
    return count < other.count
  }
}
