// SPDX-License-Identifier: MIT
// Tests of base64url (RFC 4648), and of the search for a byte.

import TesseraWire
import Testing

@Suite struct Base64URLTests {
  @Test(arguments: [
    ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
    ("Zm9vYmFy", "foobar"), ("Zg==", "f"), ("Zm8=", "fo"),
  ])
  func `the test vectors of the RFC are decoded, with and without padding`(
    _ text: String, _ expected: String
  ) {
    #expect(Base64URL.decode(text) == Array(expected.utf8))
    #expect(Base64URL.decodeAnyAlphabet(text) == Array(expected.utf8))
  }

  @Test func `every byte is encoded and decoded`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count &* 11) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Base64URL.decodeAnyAlphabet(Base64URL.encodeStandard(bytes)) == bytes)
    }
  }

  @Test(arguments: ["Z", "Zm9vY", "Zm 8", "Zm8\n", "Zm8!", "Zmß", "+/8", "Zm8.", "\u{0}Zm8"])
  func `other text is rejected`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `each alphabet has its own last digits`() {
    #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    #expect(Base64URL.decodeAnyAlphabet("+/8") == [0xFB, 0xFF])
    #expect(Base64URL.decodeAnyAlphabet("-_8") == [0xFB, 0xFF])
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
