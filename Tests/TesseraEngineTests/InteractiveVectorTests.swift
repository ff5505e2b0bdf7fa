// SPDX-License-Identifier: MIT
// Interactive sign-ins, checked against test vectors of MSAL for Apple.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct InteractiveVectorTests {
  private let machine = LocalMachine()

  @Test(arguments: TestVector.all(in: "interactive", areas: "interactive"))
  func `the sign-in behaves as in the vector`(_ vector: TestVector) throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    configuration.redirectURI = "https://host/msal"
    let application = try machine.application(configuration)
    switch vector.name {
    case "response without state when one was sent":
      // The library generates the state itself. The vector's response has none in any case.
      let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
      let answer = RawAuthorizationResponse.address(
        Secret(try #require(vector.input["response"]?.string)))
      let error = #expect(throws: TesseraError.self) {
        try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
      }
      #expect(error?.msalCode?.code == vector.expected["app"]?["code"]?.integer)
      #expect(error?.msalCode?.internalCode == vector.expected["app"]?["internal"]?.integer)
    case "different account signed in still succeeds":
      // This requires acceptsOtherAccount: docs/differences.md.
      func signIn(_ others: Bool) throws -> TokenResult {
        var request = SignInRequest(scopes: ["read"])
        request.homeAccountID = vector.input["requested_uid"]?.string.map { "\($0).tenant" }
        request.acceptsOtherAccount = others
        let begun = try application.beginSignIn(request)
        let answer = try #require(machine.browser.visit(begun.url))
        return try application.completeSignIn(
          RedirectResponse(state: begun.state, response: answer))
      }
      expect(.accountMismatch) { _ = try signIn(false) }
      #expect(try signIn(true).account.homeAccountID == LocalUser.alice.homeAccountID)
      #expect(vector.expected == "success")
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }
}
