// SPDX-License-Identifier: MIT
// What BinaryWriter of .NET writes: numbers with the low byte first, and texts with their length in front.

/// Reads bytes that BinaryWriter wrote; every length is checked against what is left.
struct DotNetBytes {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// How many bytes are left.
  var left: Int { bytes.count - offset }

  /// A number of four bytes; nil if there are fewer.
  mutating func integer() -> Int32? {
    guard left >= 4 else { return nil }
    let value = bytes[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    offset += 4
    return Int32(bitPattern: value)
  }

  /// Where a text lies; nil if its length is no length, or points beyond the end.
  mutating func text() -> Range<Int>? {
    guard let length = length(), length <= left else { return nil }
    defer { offset += length }
    return offset..<offset + length
  }

  /// A length in groups of seven bits, low ones first; the highest bit says that another group follows.
  private mutating func length() -> Int? {
    var value: UInt64 = 0
    for group in 0..<5 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << (7 * group)
      if byte & 0x80 == 0 { return Int32(exactly: value).map(Int.init) }
    }
    return nil
  }
}
