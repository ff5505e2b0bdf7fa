// SPDX-License-Identifier: MIT
// The cryptography with the public interface of swift-crypto.

#if !canImport(CTesseraCipher)
  import Crypto
  import CryptoExtras

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A SHA-256 hash of buffers (FIPS 180-4).
  package struct SHA256Hash {
    private var hash = SHA256()

    package init() {}

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      hash.update(bufferPointer: bytes)
    }

    /// Returns the digest.
    ///
    /// Do not use the hash again.
    package mutating func finish() -> [UInt8] {
      Array(hash.finalize())
    }
  }

  /// AES-256-GCM with one key (NIST SP 800-38D).
  ///
  /// swift-crypto overwrites the key when it is deallocated.
  package final class GCMCipher: Sendable {
    private let key: SymmetricKey

    /// Creates a cipher; nil if the key does not have ``Cipher/keySize`` bytes.
    package init?(_ key: UnsafeRawBufferPointer) {
      guard key.count == Cipher.keySize else { return nil }
      self.key = SymmetricKey(data: key)
    }

    /// Encrypts a text; nil if the nonce does not have ``nonceSize`` bytes.
    ///
    /// - Returns: The nonce, the ciphertext and the tag.
    package func encrypt(
      _ plaintext: UnsafeRawBufferPointer, nonce: [UInt8],
      authenticating associated: UnsafeRawBufferPointer
    ) -> [UInt8]? {
      guard nonce.count == GCMCipher.nonceSize, let nonce = try? AES.GCM.Nonce(data: nonce)
      else { return nil }
      let box = try? AES.GCM.seal(
        plaintext, using: key, nonce: nonce, authenticating: associated)
      return box?.combined.map { [UInt8]($0) }
    }

    /// Decrypts a nonce, a ciphertext and a tag; nil if they were not encrypted with this key and associated data.
    package func decrypt(
      _ box: UnsafeRawBufferPointer, authenticating associated: UnsafeRawBufferPointer
    ) -> [UInt8]? {
      guard box.count >= GCMCipher.overhead,
        let box = try? AES.GCM.SealedBox(combined: box),
        var plaintext = try? AES.GCM.open(box, using: key, authenticating: associated)
      else { return nil }
      defer { plaintext.withUnsafeMutableBytes { $0.overwrite() } }
      return [UInt8](plaintext)
    }
  }

  extension Cipher {
    /// Derives a key of ``keySize`` bytes by HKDF with SHA-256 (RFC 5869), for `body` alone.
    package static func withDerivedKey<Value>(
      from material: UnsafeRawBufferPointer, salt: [UInt8], info: String,
      _ body: (UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
      let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: Array(info.utf8),
        outputByteCount: keySize)
      return key.withUnsafeBytes(body)
    }

    /// Decrypts AES-256-CBC and removes the padding, in constant time; nil if the length or the padding is invalid.
    package static func decryptCBC(_ bytes: [UInt8], key: [UInt8], initialization: [UInt8])
      -> [UInt8]?
    {
      guard let vector = try? AES._CBC.IV(ivBytes: initialization),
        let plaintext = try? AES._CBC.decrypt(bytes, using: SymmetricKey(data: key), iv: vector)
      else { return nil }
      return [UInt8](plaintext)
    }
  }
#endif
