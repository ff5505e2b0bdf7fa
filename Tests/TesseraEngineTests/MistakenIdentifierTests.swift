// SPDX-License-Identifier: MIT
// Values that were given for another member: the error names the one that is meant.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct MistakenIdentifierTests {
  private let bench = TestBench()

  @Test func `a user name as home account ID is an error of the request`() throws {
    let application = try bench.application()
    let username = try #require(try bench.signIn(application).account.username)
    let request = SilentRequest(homeAccountID: username, scopes: ["user.read"])
    let errors = [
      #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) },
      #expect(throws: TesseraError.self) { try application.acquireTokenSilentExplained(request) },
    ]
    for error in errors {
      #expect(error?.remedy == .fixRequest && error?.code == .invalidMember)
      #expect(error?.message.contains("is a user name") == true)
    }
  }

  @Test func `a user name of no account remains a reason to sign in`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let request = SilentRequest(homeAccountID: "nobody@contoso.com", scopes: ["user.read"])
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.remedy == .signIn)
  }
}
