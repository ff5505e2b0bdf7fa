// SPDX-License-Identifier: MIT
// Hexadecimal encoding of keys, in memory that can be erased.

/// Hexadecimal digits as bytes, because a string cannot be erased.
enum HexadecimalBytes {
  /// Encodes each byte as two digits.
  static func digits(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // Reserve the full size: a growing array leaves copies in memory.
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  /// Decodes digits; returns nil for anything else.
  static func bytes(_ digits: UnsafeRawBufferPointer) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for (index, digit) in digits.enumerated() {
      guard let value = value(digit) else { return nil }
      if index.isMultiple(of: 2) {
        bytes.append(value << 4)
      } else {
        bytes[bytes.endIndex - 1] |= value
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 - 10 + value
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}
