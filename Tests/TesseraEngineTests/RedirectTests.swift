// SPDX-License-Identifier: MIT
// Validation of redirect URIs before any request: valid ones, and the error messages of invalid ones.

import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@testable import TesseraEngine

@Suite struct RedirectTests {
  /// Creates an application with the configuration of a vector.
  ///
  /// This sends no request.
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
  func `a valid redirect URI is used unchanged`(_ vector: TestVector) throws {
    let redirect = try application(vector.input).context.redirectURI
    #expect(redirect.text == vector.expected["redirect_uri"]?.string)
    if let isCapable = vector.expected["broker_capable"]?.bool {
      #expect(redirect.isBrokerCapable == isCapable)
    }
  }

  @Test(arguments: TestVector.all(in: "redirects", areas: "redirect_bad"))
  func `an invalid redirect URI is rejected with advice`(_ vector: TestVector) {
    let error = #expect(throws: TesseraError.self) { try application(vector.input) }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code.rawValue == vector.expected["code"]?.string)
    #expect(error?.message == vector.expected["message"]?.string)
  }

  @Test func `each invalid redirect URI has its own message`() {
    let vectors = TestVector.all(in: "redirects", areas: "redirect_bad")
    #expect(vectors.count >= 25)
    #expect(Set(vectors.map { $0.expected["message"]?.string }).count == vectors.count)
  }
}
