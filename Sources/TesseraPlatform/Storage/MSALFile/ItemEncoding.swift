// SPDX-License-Identifier: MIT
// How a cache is written into an item of the Secret Service.

import TesseraWire

/// How the text of a cache becomes the secret of an item.
///
/// Source: msal-extensions for Python and Node store the text itself, the extensions for .NET, Go and Java its base64.
enum ItemEncoding: Sendable, Hashable {
  /// The text as it is.
  case text
  /// Base64 of the text (RFC 4648 section 4).
  case base64

  /// The text in a secret, and how it was written.
  ///
  /// What is neither a text of JSON nor base64 is taken for text: whoever reads it says what is wrong with it.
  static func read(_ secret: [UInt8]) -> (text: [UInt8], encoding: ItemEncoding) {
    let first = secret.first { !isBlank($0) }
    guard let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
      let text = Base64URL.decodeEither(
        String(decoding: secret.filter { !isBlank($0) }, as: UTF8.self))
    else { return (secret, .text) }
    return (text, .base64)
  }

  /// The secret for a text.
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
