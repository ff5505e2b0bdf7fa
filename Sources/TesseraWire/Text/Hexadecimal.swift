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
}
