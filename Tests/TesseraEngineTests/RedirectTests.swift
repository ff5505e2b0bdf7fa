// SPDX-License-Identifier: MIT
// Redirect URIs: which work, and what everybody is told whose does not, before any network.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@Suite struct RedirectTests {
  /// Makes an application with the configuration of a vector; nothing is asked of any server.
  private func application(_ input: JSONValue) throws(TesseraError) -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "4b0db8c2-9f26-4417-8bde-3f0e3656f8e0")
    configuration.redirectURI = input["redirect_uri"]?.string
    configuration.bundleID = input["bundle_id"]?.string
    configuration.registeredSchemes = input["registered_schemes"]?.array?.compactMap(\.string)
    if let authority = input["authority"]?.string { configuration.authority = authority }
    configuration.authorityType = input["authority_type"]?.string.flatMap(AuthorityType.init)
    return try LocalMachine().application(configuration)
  }

  @Test(arguments: TestVector.all(in: "redirects", areas: "redirect_good"))
  func `a redirect URI that can work is taken as it is`(_ vector: TestVector) throws {
    let redirect = try application(vector.input).redirectURI
    #expect(redirect.text == vector.expected["redirect_uri"]?.string)
    if let isCapable = vector.expected["broker_capable"]?.bool {
      #expect(redirect.isBrokerCapable == isCapable)
    }
  }

  @Test(arguments: TestVector.all(in: "redirects", areas: "redirect_bad"))
  func `one that cannot work is refused with what to do`(_ vector: TestVector) {
    let error = #expect(throws: TesseraError.self) { try application(vector.input) }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code.rawValue == vector.expected["code"]?.string)
    #expect(error?.message == vector.expected["message"]?.string)
  }

  @Test func `every mistake has words of its own`() {
    let vectors = TestVector.all(in: "redirects", areas: "redirect_bad")
    #expect(vectors.count >= 25)
    #expect(Set(vectors.map { $0.expected["message"]?.string }).count == vectors.count)
  }
}
