// SPDX-License-Identifier: MIT
// The cryptography of Tessera. Two files implement it: one with the functions of BoringSSL alone, for the C library, and
// one with the public interface of swift-crypto.

/// Hashes, key derivation and decryption; see ``SHA256Hash`` and ``GCMCipher`` for the others.
package enum Cipher {
  /// The size of the keys and digests, in bytes.
  package static let keySize = 32
  /// The size of a block of AES, in bytes.
  static let blockSize = 16

  /// Returns the SHA-256 digest of bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256Hash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// Returns the SHA-256 digest of the UTF-8 bytes of a text.
  package static func sha256(_ text: String) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(text)
    return hash.finish()
  }
}

extension SHA256Hash {
  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds the UTF-8 bytes of a text.
  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }
}

extension GCMCipher {
  /// The size of a nonce, in bytes.
  package static let nonceSize = 12
  /// The size of a tag, in bytes.
  package static let tagSize = 16
  /// The size of an encrypted text in addition to the plaintext.
  package static let overhead = nonceSize + tagSize
}
