// SPDX-License-Identifier: MIT
// A fast scan for characters that need no escape in JSON strings, eight bytes at a time, because tokens are long.

/// Functions for the content of JSON strings.
package enum JSONStringScanner {
  /// Returns the end of a run of printable ASCII without quotes and backslashes.
  package static func endOfUnescapedRun(_ memory: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end + 8 <= memory.count,
      isPlain(memory.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    { end += 8 }
    while end < memory.count, memory[end] < 0x80,
      isPlain(UInt64(memory[end]) &* 0x0101_0101_0101_0101)
    { end += 1 }
    return end
  }

  /// Whether all eight bytes are printable ASCII, but not a quote or a backslash.
  ///
  /// A subtraction sets the highest bit of each byte that is too small. Before that, XOR with the searched character turns
  /// matching bytes into zero.
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = word &- ones &* 0x20
    let quote = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
    let backslash = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
    return (word | control | quote | backslash) & (ones &* 0x80) == 0
  }
}
