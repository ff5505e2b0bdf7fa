// SPDX-License-Identifier: MIT
// How a cache is written in an item of the Secret Service: the extensions for .NET write base64, others the text.

import TesseraWire

extension KeyringItem {
  /// The text in a secret, which may be base64 of it (RFC 4648 section 4).
  ///
  /// What is neither a text of JSON nor base64 is taken for text: whoever reads it says what is wrong with it.
  static func text(in secret: [UInt8]) -> [UInt8] {
    let first = secret.first { !isBlank($0) }
    guard let first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return secret }
    let dense = String(decoding: secret.filter { !isBlank($0) }, as: UTF8.self)
    return Base64URL.decodeEither(dense) ?? secret
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }
}
