// SPDX-License-Identifier: MIT
// Hexadecimal encoding and decoding of bytes.

/// Hexadecimal encoding with two digits per byte.
package enum Hexadecimal {
  /// Encodes bytes in lower-case digits.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Decodes digits in either case; nil if the text is not pairs of digits.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
