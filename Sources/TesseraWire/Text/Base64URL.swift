// SPDX-License-Identifier: MIT
// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2).

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Base64url without padding, as used by JWTs, PKCE and `client_info`.
package enum Base64URL {
  /// Encodes bytes as base64url without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = Data(bytes).base64EncodedString()
    while text.hasSuffix("=") { text.removeLast() }
    return String(
      text.map { character in
        switch character {
        case "+": "-"
        case "/": "_"
        default: character
        }
      })
  }

  /// Encodes bytes as standard base64 with padding (RFC 4648 section 4).
  package static func encodeStandard(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Decodes base64 or base64url; nil if the text is neither.
  ///
  /// Padding is optional.
  package static func decodeAnyAlphabet(_ text: String) -> [UInt8]? {
    decode(text.utf8, isEither: true)
  }

  /// Decodes base64url; nil if the text is not base64url.
  ///
  /// Padding is optional.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    decode(text.utf8, isEither: false)
  }

  /// Decodes base64url text in UTF-8; nil if it is not base64url.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    decode(text, isEither: false)
  }

  private static func decode(_ text: some Collection<UInt8>, isEither: Bool) -> [UInt8]? {
    var standard: [UInt8] = []
    standard.reserveCapacity(text.count + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "="): continue
      case UInt8(ascii: "+"), UInt8(ascii: "/"):
        guard isEither else { return nil }
        standard.append(byte)
      default: standard.append(byte)
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(standard)).map { [UInt8]($0) }
  }
}
