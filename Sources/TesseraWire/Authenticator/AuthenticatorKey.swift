// SPDX-License-Identifier: MIT
// The key of one answer of Microsoft Authenticator (AES-256-CBC), and the hash over what it decrypts.

import Crypto
import CryptoExtras

/// A key that is made for one request, and travels with it.
package struct AuthenticatorKey: Sendable, Hashable {
  /// How many bytes a key has.
  package static let byteCount = 32
  private static let initialization = [UInt8](repeating: 0, count: 16)

  /// The key as it is sent: base64url without padding.
  package let text: Secret

  /// A key of random bytes; nil for another number than ``byteCount``.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == AuthenticatorKey.byteCount else { return nil }
    text = Secret(Base64URL.encode(bytes))
  }

  /// A key as it was sent; nil for anything else.
  package init?(_ text: Secret) {
    guard let bytes = Base64URL.decode(text.reveal()) else { return nil }
    self.init(bytes)
  }

  /// What was encrypted with the key; nil for what was not.
  ///
  /// The protocol has zeros for the initialization vector and nothing that authenticates: whoever uses what comes out checks
  /// the hash and the nonce before. swift-crypto removes the padding in constant time.
  package func decrypt(_ bytes: [UInt8]) -> [UInt8]? {
    guard let key = Base64URL.decode(text.reveal()),
      let vector = try? AES._CBC.IV(ivBytes: AuthenticatorKey.initialization),
      let plain = try? AES._CBC.decrypt(bytes, using: SymmetricKey(data: key), iv: vector)
    else { return nil }
    return [UInt8](plain)
  }

  /// SHA-256 in upper-case hexadecimal digits, as answers carry it.
  package static func hash(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(SHA256.hash(data: bytes)).uppercased()
  }
}
