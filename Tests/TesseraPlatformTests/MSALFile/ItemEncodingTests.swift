// SPDX-License-Identifier: MIT
// How caches are written into items of the Secret Service.

import Testing

@testable import TesseraPlatform

@Suite struct ItemEncodingTests {
  private let text = Array(#"{"AccessToken": {}, "name": "Zoë"}"#.utf8)

  @Test(arguments: [ItemEncoding.text, .base64])
  func `what was written is read, and written in the same way again`(encoding: ItemEncoding) {
    let read = ItemEncoding.read(encoding.secret(text))
    #expect(read.text == text)
    #expect(read.encoding == encoding)
  }

  @Test func `the secret of the extensions for Python is the text itself`() {
    #expect(ItemEncoding.text.secret(text) == text)
  }

  @Test func `the secret of the extensions for DotNET is padded base64`() {
    #expect(ItemEncoding.base64.secret(Array("{}".utf8)) == Array("e30=".utf8))
  }

  @Test func `blanks around either do not matter`() {
    #expect(ItemEncoding.read(Array(" \n{}".utf8)).encoding == .text)
    #expect(ItemEncoding.read(Array("e30=\n".utf8)).text == Array("{}".utf8))
  }

  @Test(arguments: ["", "[]", "what is this?", "{\"broken\": "])
  func `what is neither is handed on as it is`(secret: String) {
    let read = ItemEncoding.read(Array(secret.utf8))
    #expect(read.text == Array(secret.utf8))
    #expect(read.encoding == .text)
  }
}
