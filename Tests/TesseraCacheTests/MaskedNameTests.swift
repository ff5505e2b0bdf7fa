// SPDX-License-Identifier: MIT
// Masked user names for logs.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct MaskedNameTests {
  @Test(arguments: TestVector.all(in: "logging", areas: "logging"))
  func `a user name is masked as in the vector`(_ vector: TestVector) {
    #expect(MaskedName(vector.input.string).description == vector.expected.string)
  }

  @Test(arguments: ["TEST@email.com", " test@EMAIL.com"])
  func `equal user names have equal masks`(_ name: String) {
    #expect(MaskedName(name).description == "auth.placeholder-9f86d081__email.com")
  }

  @Test func `a name without a domain is masked as a hash`() {
    #expect(MaskedName("test").description == "9f86d081")
    #expect(MaskedName(nil).description == "Masked(null)")
  }

  @Test(arguments: ["@", "@alice", "alice@", "@alice@"])
  func `a name without a local part or a domain is masked as a hash`(_ name: String) {
    #expect(MaskedName(name).description.utf8.count == 8)
    #expect(!MaskedName(name).description.contains("alice"))
  }

  @Test(arguments: [#""alice@home"@contoso.com"#, "alice@home@contoso.com", "@alice@contoso.com"])
  func `the domain starts after the last at sign`(_ name: String) {
    #expect(MaskedName(name).description.hasSuffix("__contoso.com"))
    #expect(!MaskedName(name).description.contains("alice"))
    #expect(!MaskedName(name).description.contains("home"))
  }
}
