// SPDX-License-Identifier: MIT
// Error responses of providers that announce RFC 9207 and omit `iss`.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct AuthorizationErrorTests {
  private let machine = LocalMachine()

  /// Begins a sign-in at a provider that announces RFC 9207, and completes it with a query.
  private func complete(_ query: String) throws -> TesseraError? {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    let application = try machine.application(configuration)
    let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
    let page = FormFields(decoding: begun.url.split(separator: "?").dropFirst().first ?? "")
    let state = try #require(page["state"])
    let answer = RawAuthorizationResponse.address(
      Secret("\(begun.redirectURI)?\(query)&state=\(FormFields.escape(state))"))
    return #expect(throws: TesseraError.self) {
      try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
    }
  }

  @Test func `the provider's own error is reported although the response has no iss`() throws {
    let error = try complete("error=login_required&error_description=Sign%20in%20first.")
    #expect(error?.code == .interactionRequired)
    #expect(error?.remedy == .signIn)
    #expect(error?.oauthError == "login_required")
  }

  @Test func `a code without iss is rejected if the provider announces iss`() throws {
    #expect(try complete("code=c")?.code == .issuerMismatch)
  }

  @Test func `an error with the iss of another provider is rejected`() throws {
    let error = try complete("error=login_required&iss=https%3A%2F%2Fother.example")
    #expect(error?.code == .issuerMismatch)
  }
}
