// SPDX-License-Identifier: MIT
// The cryptography with the functions of BoringSSL.

#if canImport(CTesseraCipher)
  import CTesseraCipher

  /// A SHA-256 hash of buffers (FIPS 180-4).
  package struct SHA256Hash {
    private var state = ctessera_sha256()

    package init() {
      ctessera_sha256_start(&state)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      ctessera_sha256_update(&state, bytes.baseAddress, bytes.count)
    }

    /// Returns the digest.
    ///
    /// Do not use the hash again.
    package mutating func finish() -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: Cipher.keySize) { digest, count in
        ctessera_sha256_finish(&state, digest.baseAddress)
        count = digest.count
      }
    }
  }

  /// AES-256-GCM with one key (NIST SP 800-38D).
  ///
  /// The expanded key is kept, and overwritten when it is deallocated.
  package final class GCMCipher: @unchecked Sendable {
    // Immutable, and thread-safe after its creation.
    private let gcm: OpaquePointer

    /// Creates a cipher; nil if the key does not have ``Cipher/keySize`` bytes.
    package init?(_ key: UnsafeRawBufferPointer) {
      guard key.count == Cipher.keySize, let bytes = key.baseAddress,
        let gcm = ctessera_gcm_create(bytes.assumingMemoryBound(to: UInt8.self))
      else { return nil }
      self.gcm = gcm
    }

    deinit {
      ctessera_gcm_free(gcm)
    }

    /// Encrypts a text; nil if the nonce does not have ``nonceSize`` bytes.
    ///
    /// - Returns: The nonce, the ciphertext and the tag.
    package func encrypt(
      _ plaintext: UnsafeRawBufferPointer, nonce: [UInt8],
      authenticating associated: UnsafeRawBufferPointer
    ) -> [UInt8]? {
      guard nonce.count == GCMCipher.nonceSize else { return nil }
      let size = plaintext.count + GCMCipher.overhead
      let box = [UInt8](unsafeUninitializedCapacity: size) { box, count in
        guard let output = box.baseAddress else { return }
        output.update(from: nonce, count: nonce.count)
        let isEncrypted = ctessera_gcm_encrypt(
          gcm, output, associated.baseAddress, associated.count, plaintext.baseAddress,
          plaintext.count, output + nonce.count)
        count = isEncrypted ? size : 0
      }
      return box.isEmpty ? nil : box
    }

    /// Decrypts a nonce, a ciphertext and a tag; nil if they were not encrypted with this key and associated data.
    package func decrypt(
      _ box: UnsafeRawBufferPointer, authenticating associated: UnsafeRawBufferPointer
    ) -> [UInt8]? {
      guard box.count >= GCMCipher.overhead, let bytes = box.baseAddress else { return nil }
      let size = box.count - GCMCipher.overhead
      var isDecrypted = false
      let plaintext = [UInt8](unsafeUninitializedCapacity: max(size, 1)) { output, count in
        isDecrypted = ctessera_gcm_decrypt(
          gcm, bytes.assumingMemoryBound(to: UInt8.self), associated.baseAddress,
          associated.count, bytes + GCMCipher.nonceSize, box.count - GCMCipher.nonceSize,
          output.baseAddress)
        count = isDecrypted ? size : 0
      }
      return isDecrypted ? plaintext : nil
    }
  }

  extension Cipher {
    /// Derives a key of ``keySize`` bytes by HKDF with SHA-256 (RFC 5869), for `body` alone.
    package static func withDerivedKey<Value>(
      from material: UnsafeRawBufferPointer, salt: [UInt8], info: String,
      _ body: (UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: keySize) { key in
        defer { UnsafeMutableRawBufferPointer(key).overwrite() }
        let isDerived = ctessera_hkdf(
          material.baseAddress, material.count, salt, salt.count, info, info.utf8.count,
          key.baseAddress, key.count)
        return isDerived ? body(UnsafeRawBufferPointer(key)) : nil
      }
    }

    /// Decrypts AES-256-CBC and removes the padding, in constant time; nil if the length or the padding is invalid.
    package static func decryptCBC(_ bytes: [UInt8], key: [UInt8], initialization: [UInt8])
      -> [UInt8]?
    {
      guard !bytes.isEmpty, bytes.count % blockSize == 0, key.count == keySize,
        initialization.count == blockSize
      else { return nil }
      let padded = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        let isDecrypted = ctessera_cbc_decrypt(
          key, initialization, bytes, bytes.count, output.baseAddress)
        count = isDecrypted ? output.count : 0
      }
      return withoutPadding(padded)
    }

    /// Removes one to sixteen bytes that contain their number (RFC 5652 section 6.3).
    ///
    /// The highest bit of a difference is set if it is negative. There is no branch before the result.
    private static func withoutPadding(_ bytes: [UInt8]) -> [UInt8]? {
      let block = bytes.suffix(blockSize)
      let size = UInt16(block.last ?? 0)
      var problems = (size &- 1) >> 15 | (UInt16(blockSize) &- size) >> 15
      for (index, byte) in block.enumerated() {
        let isBefore = (size &- UInt16(blockSize - index)) >> 15
        problems |= (isBefore &- 1) & (UInt16(byte) ^ size)
      }
      return problems == 0 ? bytes.dropLast(Int(size)) : nil
    }
  }
#endif
