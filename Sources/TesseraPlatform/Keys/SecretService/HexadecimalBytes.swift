// SPDX-License-Identifier: MIT
// Keys as hexadecimal digits, in memory that can be overwritten.

/// Hexadecimal digits as bytes; a string could not be overwritten.
enum HexadecimalBytes {
  /// Two digits for each byte.
  static func digits(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // At once in its full size: an array that grows leaves copies behind.
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  /// The bytes that digits stand for; nil for anything else.
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
