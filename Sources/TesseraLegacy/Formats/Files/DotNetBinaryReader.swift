// SPDX-License-Identifier: MIT
// The binary format of .NET's BinaryWriter: little-endian integers, and strings with a length prefix.

import TesseraCache

/// A bounds-checked reader for data of .NET's BinaryWriter.
struct DotNetBinaryReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of remaining bytes.
  var remaining: Int { bytes.count - offset }

  /// Reads a 32-bit integer, or returns `nil` if fewer than four bytes remain.
  mutating func integer() -> Int32? {
    guard remaining >= 4 else { return nil }
    let value = bytes[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    offset += 4
    return Int32(bitPattern: value)
  }

  /// Reads the byte range of a string, or returns `nil` if its length is invalid or exceeds the data.
  mutating func text() -> Range<Int>? {
    guard let length = length(), length <= remaining else { return nil }
    defer { offset += length }
    return offset..<offset + length
  }

  /// Reads a 7-bit encoded length, low bits first.
  ///
  /// The highest bit of a byte means that another one follows.
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
