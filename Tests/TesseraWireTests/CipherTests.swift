// SPDX-License-Identifier: MIT
// Tests of the hashes and ciphers with published vectors.

import TesseraWire
import Testing

@Suite struct CipherTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `the digests are those of FIPS 180-4`(_ text: String, _ digest: String) {
    #expect(Hexadecimal.text(Cipher.sha256(text)) == digest)
    var hash = SHA256Hash()
    for byte in text.utf8 { hash.update([byte]) }
    #expect(Hexadecimal.text(hash.finish()) == digest)
  }

  @Test func `derived keys are those of RFC 5869`() {
    // Appendix A.3. The first 32 bytes do not depend on the size of the output.
    let material = [UInt8](repeating: 0x0B, count: 22)
    let key = material.withUnsafeBytes { material in
      Cipher.withDerivedKey(from: material, salt: [], info: "") { Hexadecimal.text($0) }
    }
    #expect(key == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
  }

  @Test func `encryption with AES-GCM returns the vector of its specification`() throws {
    let box = try #require(GCMVector.encrypted())
    #expect(Hexadecimal.text(box) == GCMVector.nonce + GCMVector.ciphertext + GCMVector.tag)
    #expect(GCMVector.decrypted(box).map(Hexadecimal.text) == GCMVector.plaintext)
  }

  @Test func `any changed bit prevents decryption`() throws {
    let box = try #require(GCMVector.encrypted())
    for bit in 0..<box.count * 8 {
      var changed = box
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(GCMVector.decrypted(changed) == nil)
    }
    #expect(GCMVector.decrypted(box, associated: "00") == nil)
    #expect(GCMVector.decrypted(box.dropLast()) == nil)
    #expect(GCMVector.decrypted(Array(box.prefix(27))) == nil)
  }

  @Test func `an empty text is encrypted as its tag`() throws {
    let cipher = try #require(GCMVector.cipher())
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    let nonce = [UInt8](repeating: 1, count: 12)
    let box = try #require(cipher.encrypt(empty, nonce: nonce, authenticating: empty))
    #expect(box.count == GCMCipher.overhead)
    #expect(box.withUnsafeBytes { cipher.decrypt($0, authenticating: empty) } == [])
  }

  @Test func `keys and nonces of other sizes are rejected`() throws {
    for size in [0, 16, 31, 33] {
      #expect([UInt8](repeating: 0, count: size).withUnsafeBytes { GCMCipher($0) } == nil)
    }
    let cipher = try #require(GCMVector.cipher())
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    for size in [0, 11, 13] {
      let nonce = [UInt8](repeating: 0, count: size)
      #expect(cipher.encrypt(empty, nonce: nonce, authenticating: empty) == nil)
    }
  }

  /// Ciphertexts for the key of 32 bytes of 7, encrypted by OpenSSL without padding.
  @Test(arguments: [
    ("2ccb49421a7bef0172c1ce5a3fa7d054", "fifteen bytes.."),
    ("94f551ac1fc273d74d84fc638b2a9ef8", ""),
    ("c5a31f70279e5fc89d635ade604de89a38caa23bda0717c07769bdc867b93c4d", "sixteen bytes..."),
    ("ee061b5e63a8c46ffc43a7aeab313613354614da8064482cb7f1810ffa9a9f3e", "eighteen bytes...."),
  ])
  func `valid padding is removed`(_ ciphertext: String, _ plaintext: String) throws {
    let bytes = try #require(Hexadecimal.bytes(ciphertext))
    #expect(decrypted(bytes) == Array(plaintext.utf8))
  }

  /// The paddings are 00, 11, 02 03 03, 0f 10 …, and ff.
  @Test(arguments: [
    "02d4ea8093f17bcb6776dc5503246227", "8a3686a39d0c91081fed4bc4e8c89fda",
    "70cde317ba9cbfb5e41eb23d1710b028", "28534bb444df5b08cf3c634d61b44488",
    "fab53800d053b2e20e9449390563cf31", "", "2ccb49421a7bef0172c1ce5a3fa7d0",
    "2ccb49421a7bef0172c1ce5a3fa7d05400",
  ])
  func `invalid padding and other lengths are rejected`(_ ciphertext: String) throws {
    let bytes = try #require(Hexadecimal.bytes(ciphertext))
    #expect(decrypted(bytes) == nil)
  }

  private func decrypted(_ bytes: [UInt8]) -> [UInt8]? {
    Cipher.decryptCBC(
      bytes, key: [UInt8](repeating: 7, count: 32), initialization: [UInt8](repeating: 0, count: 16)
    )
  }
}

/// Test case 16 of McGrew and Viega, The Galois/Counter Mode of Operation.
private enum GCMVector {
  static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  static let nonce = "cafebabefacedbaddecaf888"
  static let associated = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
  static let plaintext =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
  static let ciphertext =
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
  static let tag = "76fc6ece0f4e1768cddf8853bb2d551b"

  static func cipher() -> GCMCipher? {
    Hexadecimal.bytes(key)?.withUnsafeBytes { GCMCipher($0) }
  }

  static func encrypted() -> [UInt8]? {
    guard let cipher = cipher(), let nonce = Hexadecimal.bytes(nonce),
      let associated = Hexadecimal.bytes(associated), let plaintext = Hexadecimal.bytes(plaintext)
    else { return nil }
    return plaintext.withUnsafeBytes { plaintext in
      associated.withUnsafeBytes {
        cipher.encrypt(plaintext, nonce: nonce, authenticating: $0)
      }
    }
  }

  static func decrypted(_ box: [UInt8], associated: String = associated) -> [UInt8]? {
    guard let cipher = cipher(), let associated = Hexadecimal.bytes(associated) else { return nil }
    return box.withUnsafeBytes { box in
      associated.withUnsafeBytes { cipher.decrypt(box, authenticating: $0) }
    }
  }
}
