// SPDX-License-Identifier: MIT
// Bytes as hexadecimal digits.

/// Hexadecimal digits in lower case, two for each byte.
package enum Hexadecimal {
  /// The digits of some bytes.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// The bytes of a text of digits in either case, two for each; nil for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
