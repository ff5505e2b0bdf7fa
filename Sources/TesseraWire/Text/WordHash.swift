// SPDX-License-Identifier: MIT
// A fast non-cryptographic hash for hash tables and change detection. It does not resist deliberate collisions.

/// A hash function that processes eight bytes at a time.
package enum WordHash {
  /// Returns the hash of bytes.
  ///
  /// - Parameter start: The hash of the preceding bytes, to hash a sequence of buffers.
  package static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = 0) -> UInt64 {
    var hash = mixed(start ^ 0x9E37_79B9_7F4A_7C15, UInt64(truncatingIfNeeded: bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mixed(hash, rest)
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
