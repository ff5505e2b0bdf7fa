// SPDX-License-Identifier: MIT
// Tests of base64 and base64url, and of the search for a byte.

import TesseraWire
import Testing

@Suite struct Base64URLTests {
  /// RFC 4648 section 10, and bytes with both characters that differ.
  @Test(arguments: [
    ([], "", ""), (Array("f".utf8), "Zg==", "Zg"), (Array("fo".utf8), "Zm8=", "Zm8"),
    (Array("foo".utf8), "Zm9v", "Zm9v"), (Array("foob".utf8), "Zm9vYg==", "Zm9vYg"),
    ([0xFB, 0xFF, 0xBF], "+/+/", "-_-_"), ([0, 0], "AAA=", "AAA"),
  ])
  func `bytes are encoded in both alphabets`(_ bytes: [UInt8], _ standard: String, _ url: String) {
    #expect(Base64URL.encodeStandard(bytes) == standard)
    #expect(Base64URL.encode(bytes) == url)
    #expect(Base64URL.decode(url) == bytes)
    #expect(Base64URL.decodeAnyAlphabet(standard) == bytes)
    #expect(Base64URL.decodeAnyAlphabet(url) == bytes)
  }

  @Test func `every length and byte is decoded to itself`() {
    for count in 0...256 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Base64URL.decodeAnyAlphabet(Base64URL.encodeStandard(bytes)) == bytes)
    }
  }

  @Test(arguments: ["A", "AAAAA", "AA=A", "A A", "AA\n", "AA\u{C3}", "AAA*", "A==="])
  func `other texts are rejected in both alphabets`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
    #expect(Base64URL.decodeAnyAlphabet(text) == nil)
  }

  @Test(arguments: ["+A", "/A", "AA+/"])
  func `base64url does not have the characters of base64`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
    #expect(Base64URL.decodeAnyAlphabet(text) != nil)
  }

  @Test func `a byte is found at every position`() {
    for count in 0..<40 {
      for position in 0..<count {
        var bytes = [UInt8](repeating: 0x2F, count: count)
        bytes[position] = 0x2E
        if position + 1 < count { bytes[position + 1] = 0x2E }
        bytes.withUnsafeBytes { bytes in
          #expect(bytes.firstIndex(of: 0x2E, from: 0) == position)
          #expect(bytes.firstIndex(of: 0x2E, from: position) == position)
          #expect(bytes.firstIndex(of: 0xAE, from: 0) == nil)
          #expect(bytes.firstIndex(of: 0x2E, from: count) == nil)
        }
      }
    }
  }
}
