// SPDX-License-Identifier: MIT
// Names of people in logs.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct MaskedNameTests {
  @Test(arguments: TestVector.all(in: "logging", areas: "logging"))
  func `a name is masked`(_ vector: TestVector) {
    #expect(MaskedName(vector.input.string).description == vector.expected.string)
  }

  @Test(arguments: ["TEST@email.com", " test@EMAIL.com"])
  func `the same person looks the same`(_ name: String) {
    #expect(MaskedName(name).description == "auth.placeholder-9f86d081__email.com")
  }

  @Test func `what is no address is a hash`() {
    #expect(MaskedName("test").description == "9f86d081")
    #expect(MaskedName(nil).description == "Masked(null)")
    #expect(MaskedName("@").description.hasPrefix("auth.placeholder") == false)
  }
}
