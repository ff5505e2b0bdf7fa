// SPDX-License-Identifier: MIT
// Compares the hashes and ciphers of the release builds, which call BoringSSL, with those of swift-crypto.

import Crypto
import CryptoExtras
import TesseraWire

/// The program that `make test-ciphers` starts.
@main
enum Ciphers {
  /// The sizes of the inputs: around the sizes of blocks, and of a large record.
  private static let sizes = Array(0...300) + [1023, 1024, 1025, 4096, 65_537, 1_048_576]

  static func main() throws {
    for size in sizes {
      let (text, key) = (bytes(size), bytes(Cipher.keySize))
      require(Cipher.sha256(text) == Array(SHA256.hash(data: text)), "SHA-256", text)
      compareDerivation(text, salt: bytes(size % 70))
      try compareGCM(text, key: key, associated: bytes(size % 70))
      try compareCBC(text, key: key)
    }
    print("\(sizes.count) sizes: the ciphers are those of swift-crypto")
    try Signatures.compare()
  }

  private static func compareDerivation(_ material: [UInt8], salt: [UInt8]) {
    let info = "info \(salt.count)"
    let expected = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: salt, info: Array(info.utf8),
      outputByteCount: Cipher.keySize)
    let derived = material.withUnsafeBytes { material in
      Cipher.withDerivedKey(from: material, salt: salt, info: info) { Array($0) }
    }
    require(derived == expected.withUnsafeBytes { Array($0) }, "HKDF", material)
  }

  /// Decrypts with each implementation what the other one encrypted.
  private static func compareGCM(_ text: [UInt8], key: [UInt8], associated: [UInt8]) throws {
    let (nonce, peerKey) = (bytes(GCMCipher.nonceSize), SymmetricKey(data: key))
    let expected = try AES.GCM.seal(
      text, using: peerKey, nonce: AES.GCM.Nonce(data: nonce), authenticating: associated)
    guard let cipher = key.withUnsafeBytes({ GCMCipher($0) }) else {
      return require(false, "the key of AES-GCM", key)
    }
    let box = associated.withUnsafeBytes { associated in
      text.withUnsafeBytes { cipher.encrypt($0, nonce: nonce, authenticating: associated) }
    }
    require(box == expected.combined.map { [UInt8]($0) }, "encryption with AES-GCM", text)
    let opened = try AES.GCM.open(
      AES.GCM.SealedBox(combined: box ?? []), using: peerKey, authenticating: associated)
    require([UInt8](opened) == text, "decryption by swift-crypto", text)
    let decrypted = associated.withUnsafeBytes { associated in
      (box ?? []).withUnsafeBytes { cipher.decrypt($0, authenticating: associated) }
    }
    require(decrypted == text, "decryption with AES-GCM", text)
  }

  private static func compareCBC(_ text: [UInt8], key: [UInt8]) throws {
    let zeros = [UInt8](repeating: 0, count: 16)
    let vector = try AES._CBC.IV(ivBytes: zeros)
    let encrypted = try AES._CBC.encrypt(text, using: SymmetricKey(data: key), iv: vector)
    require(
      Cipher.decryptCBC([UInt8](encrypted), key: key, initialization: zeros) == text,
      "decryption with AES-CBC", text)
    // With another last block, the padding is random, and both accept or reject it.
    let damaged = [UInt8](encrypted).dropLast(16) + bytes(16)
    let expected = try? AES._CBC.decrypt(damaged, using: SymmetricKey(data: key), iv: vector)
    require(
      Cipher.decryptCBC(Array(damaged), key: key, initialization: zeros)
        == expected.map { [UInt8]($0) },
      "the padding of AES-CBC", Array(damaged))
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }

  private static func require(_ condition: Bool, _ name: String, _ input: [UInt8]) {
    guard !condition else { return }
    fatalError("\(name) differs for \(Hexadecimal.text(input))")
  }
}
