// SPDX-License-Identifier: MIT
// The encoding of a cache document in an item of the Secret Service.

import TesseraPlatform
import TesseraWire

/// The encoding of a cache document as the secret of an item.
///
/// Source: msal-extensions for Python and Node store the text itself, the extensions for .NET, Go and Java its base64.
enum ItemEncoding: Sendable, Hashable {
  /// The unmodified text.
  case text
  /// The base64 encoding of the text (RFC 4648 section 4).
  case base64

  /// Decodes a secret and detects its encoding.
  ///
  /// A secret that is neither JSON nor base64 is returned as text. Parsing it reports the error.
  static func read(_ secret: [UInt8]) -> (text: [UInt8], encoding: ItemEncoding) {
    let first = secret.first { !isBlank($0) }
    guard let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
      let text = Base64URL.decodeAnyAlphabet(
        String(decoding: secret.filter { !isBlank($0) }, as: UTF8.self))
    else { return (secret, .text) }
    return (text, .base64)
  }

  /// Encodes a text as a secret.
  func secret(_ text: [UInt8]) -> [UInt8] {
    switch self {
    case .text: text
    case .base64: Array(Base64URL.encodeStandard(text).utf8)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }
}
