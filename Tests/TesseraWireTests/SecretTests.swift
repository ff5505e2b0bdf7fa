// SPDX-License-Identifier: MIT
// A secret does not show, however it is printed.

import TesseraWire
import Testing

@Suite struct SecretTests {
  @Test func `a secret shows nowhere`() {
    let secret = Secret("canary")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", "\([secret])", String(reflecting: secret), dumped, "\((1, secret))"] {
      #expect(!text.contains("canary"))
    }
    #expect(secret.reveal() == "canary")
  }
}
