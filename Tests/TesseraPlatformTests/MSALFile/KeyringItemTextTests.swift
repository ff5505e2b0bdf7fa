// SPDX-License-Identifier: MIT
// How caches are written in items of the Secret Service.

import Testing

@testable import TesseraPlatform

@Suite struct KeyringItemTextTests {
  @Test(arguments: [
    // The extensions for Python write the text itself, those for .NET padded base64.
    #"{"name": "Zoë"}"#: #"{"name": "Zoë"}"#, " \n{}": " \n{}", "e30=": "{}", "e30=\n": "{}",
    // What is neither is handed on as it is.
    "": "", "[]": "[]", "what is this?": "what is this?", "{\"broken\": ": "{\"broken\": ",
  ])
  func `the text is read however it was written`(secret: String, text: String) {
    #expect(KeyringItem.text(in: Array(secret.utf8)) == Array(text.utf8))
  }
}
