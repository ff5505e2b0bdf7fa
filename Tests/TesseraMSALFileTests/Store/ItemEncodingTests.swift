// SPDX-License-Identifier: MIT
// Encodings of caches in items of the Secret Service.

import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct ItemEncodingTests {
  private let text = Array(#"{"AccessToken": {}, "name": "Zoë"}"#.utf8)

  @Test(arguments: [ItemEncoding.text, .base64])
  func `an encoded text is decoded, and its encoding is detected`(encoding: ItemEncoding) {
    let read = ItemEncoding.read(encoding.secret(text))
    #expect(read.text == text)
    #expect(read.encoding == encoding)
  }

  @Test func `the Python extensions store the text itself`() {
    #expect(ItemEncoding.text.secret(text) == text)
  }

  @Test func `the DotNET extensions store padded base64`() {
    #expect(ItemEncoding.base64.secret(Array("{}".utf8)) == Array("e30=".utf8))
  }

  @Test func `surrounding whitespace is ignored`() {
    #expect(ItemEncoding.read(Array(" \n{}".utf8)).encoding == .text)
    #expect(ItemEncoding.read(Array("e30=\n".utf8)).text == Array("{}".utf8))
  }

  @Test(arguments: ["", "[]", "what is this?", "{\"broken\": "])
  func `a secret in neither encoding is returned unchanged`(secret: String) {
    let read = ItemEncoding.read(Array(secret.utf8))
    #expect(read.text == Array(secret.utf8))
    #expect(read.encoding == .text)
  }
}
