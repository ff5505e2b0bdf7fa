// SPDX-License-Identifier: MIT
// A required broker: other sign-in flows are rejected, and Microsoft Authenticator counts as a broker.

import TesseraBroker
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RequiredBrokerTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  @Test func `the device code flow is rejected without a request`() throws {
    let application = try bench.application(broker, .require)
    expect(.flowUnsupported) { _ = try bench.signIn(application) }
    #expect(bench.transport.requests.isEmpty)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a host-driven sign-in is rejected at its beginning and its completion`() throws {
    let strict = try bench.application(broker, .require)
    expect(.flowUnsupported) { _ = try strict.beginSignIn(SignInRequest(scopes: ["read"])) }
    #expect(bench.transport.requests.isEmpty)
    let lax = try bench.application(broker, .prefer)
    let begun = try lax.beginSignIn(SignInRequest(scopes: ["read"]))
    let browser = try #require(bench.dependencies.browser as? LocalBrowser)
    let completion = RedirectResponse(
      state: begun.state, response: try #require(browser.visit(begun.url)))
    expect(.flowUnsupported) { _ = try strict.completeSignIn(completion) }
    #expect(try strict.accounts().isEmpty)
    // The sign-in remains pending for an application that may complete it.
    #expect(try lax.completeSignIn(completion).source == .network)
  }

  #if TesseraApple
    @Test func `a sign-in with Microsoft Authenticator is accepted`() throws {
      let application = try bench.application(broker, .require) { configuration in
        configuration.bundleID = "com.contoso.app"
        configuration.redirectURI = "msauth.com.contoso.app://auth"
      }
      var request = SignInRequest(scopes: ["read"])
      request.authenticator = AuthenticatorOptions()
      let begun = try application.beginSignIn(request)
      #expect(begun.url.hasPrefix("msauthv2://broker?"))
      let browser = try #require(bench.dependencies.browser as? LocalBrowser)
      let url = LocalAuthenticator(at: bench.provider, as: browser).signIn(begun.url)
      let completion = RedirectResponse(
        state: begun.state, response: .address(Secret(try #require(url))))
      #expect(
        try application.completeSignIn(completion).account.username == LocalUser.alice.username)
    }
  #endif
}
