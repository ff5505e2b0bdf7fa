// SPDX-License-Identifier: MIT
// The port to the cryptographic random number generator.

import TesseraWire

/// Generates unpredictable bytes.
package protocol Randomness: Sendable {
  /// Returns random bytes that are suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
  /// Returns a random UUID (RFC 9562 section 5.4) in lower case, as used for correlation IDs.
  package func uuid() -> String {
    var bytes = bytes(16)
    guard bytes.count == 16 else { return "00000000-0000-4000-8000-000000000000" }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
      .map(Hexadecimal.text).joined(separator: "-")
  }
}
