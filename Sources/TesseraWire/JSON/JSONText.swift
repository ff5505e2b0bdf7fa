// SPDX-License-Identifier: MIT
// Runs of characters that JSON writes as they are, eight bytes at a time: tokens are long.

/// The inside of JSON strings.
package enum JSONText {
  /// Where a run of printable ASCII without quote and backslash ends.
  package static func plainEnd(_ memory: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end + 8 <= memory.count,
      isPlain(memory.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    { end += 8 }
    while end < memory.count, memory[end] < 0x80,
      isPlain(UInt64(memory[end]) &* 0x0101_0101_0101_0101)
    { end += 1 }
    return end
  }

  /// Whether eight bytes are printable ASCII without quote and backslash.
  ///
  /// In each byte, subtracting sets the highest bit of what is too small; an exclusive or makes that of what is equal.
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = word &- ones &* 0x20
    let quote = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
    let backslash = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
    return (word | control | quote | backslash) & (ones &* 0x80) == 0
  }
}
