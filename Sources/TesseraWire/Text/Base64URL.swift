// SPDX-License-Identifier: MIT
// Base64 and base64url (RFC 4648 sections 4 and 5).

/// Base64url without padding, as used by JWTs, PKCE and `client_info`.
package enum Base64URL {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  private static let standardAlphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Encodes bytes as base64url without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: encoded(Array(bytes), alphabet), as: UTF8.self)
  }

  /// Encodes bytes as standard base64 with padding (RFC 4648 section 4).
  package static func encodeStandard(_ bytes: [UInt8]) -> String {
    var text = encoded(bytes, standardAlphabet)
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64 or base64url; nil if the text is neither.
  ///
  /// Padding is optional.
  package static func decodeAnyAlphabet(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0), eitherValues) }
  }

  /// Decodes base64url; nil if the text is not base64url.
  ///
  /// Padding is optional.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var text = String(text)
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
  }

  /// Decodes base64url text in UTF-8; nil if it is not base64url.
  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    decode(text, urlValues)
  }

  private static func encoded(_ bytes: [UInt8], _ alphabet: StaticString) -> [UInt8] {
    let size = (bytes.count * 8 + 5) / 6
    return [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
      var (bits, width) = (UInt32(0), 0)
      var next = bytes.makeIterator()
      while count < size {
        if width < 6 {
          // The last character is filled up with zero bits.
          bits = bits << 8 | UInt32(next.next() ?? 0)
          width += 8
        }
        width -= 6
        text[count] = alphabet.utf8Start[Int(bits >> UInt32(width) & 0x3F)]
        count += 1
      }
    }
  }

  private static func decode(_ text: UnsafeRawBufferPointer, _ values: [UInt8]) -> [UInt8]? {
    var text = text
    while text.last == UInt8(ascii: "=") {
      text = UnsafeRawBufferPointer(rebasing: text.dropLast())
    }
    // A single character has less than eight bits.
    guard text.count % 4 != 1 else { return nil }
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
      values.withUnsafeBufferPointer { values in
        var (bits, width) = (UInt32(0), 0)
        for byte in text {
          let value = values[Int(byte)]
          guard value != invalid else {
            isValid = false
            return
          }
          bits = bits << 6 | UInt32(value)
          width += 6
          guard width >= 8 else { continue }
          width -= 8
          output.initializeElement(
            at: count, to: UInt8(truncatingIfNeeded: bits >> UInt32(width)))
          count += 1
        }
      }
    }
    return isValid ? bytes : nil
  }

  /// The value of a byte that is not in the alphabet.
  private static let invalid: UInt8 = 0xFF
  private static let urlValues = values(of: [alphabet])
  private static let eitherValues = values(of: [alphabet, standardAlphabet])

  /// Returns the six bits of each byte.
  private static func values(of alphabets: [StaticString]) -> [UInt8] {
    var values = [UInt8](repeating: invalid, count: 256)
    for alphabet in alphabets {
      for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
    }
    return values
  }
}
