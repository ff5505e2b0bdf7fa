// SPDX-License-Identifier: MIT
// The AES-256-CBC key of one Microsoft Authenticator response, and the hash of the plaintext.

package import TesseraWire

/// A response encryption key.
///
/// It is created for one request, which contains it.
package struct AuthenticatorKey: Sendable, Hashable {
  /// The size of a key, in bytes.
  package static let byteCount = 32
  private static let initialization = [UInt8](repeating: 0, count: 16)

  /// The key as it is sent: base64url without padding.
  package let text: Secret

  /// Creates a key from random bytes; nil unless there are exactly ``byteCount`` of them.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == AuthenticatorKey.byteCount else { return nil }
    text = Secret(Base64URL.encode(bytes))
  }

  /// Decodes a key from its sent form; nil if it is not base64url for ``byteCount`` bytes.
  package init?(_ text: Secret) {
    guard let bytes = Base64URL.decode(text.reveal()) else { return nil }
    self.init(bytes)
  }

  /// Decrypts bytes; nil if the length or the padding is invalid.
  ///
  /// The protocol uses an all-zero initialization vector and no authentication. The caller must therefore verify the
  /// hash and the nonce before it uses the plaintext.
  package func decrypt(_ bytes: [UInt8]) -> [UInt8]? {
    guard let key = Base64URL.decode(text.reveal()) else { return nil }
    return Cipher.decryptCBC(bytes, key: key, initialization: AuthenticatorKey.initialization)
  }

  /// Returns the SHA-256 hash in upper-case hexadecimal digits, as in responses.
  package static func hash(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(Cipher.sha256(bytes)).uppercased()
  }
}
