// SPDX-License-Identifier: MIT
// Interactive requests that try a silent call first: the cases with and without a page.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SilentFirstTests {
  private let machine = LocalMachine()

  private func application() throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    return try machine.application(configuration)
  }

  private func request(_ account: Account? = nil) -> InteractiveRequest {
    var request = InteractiveRequest(scopes: ["read"])
    request.triesSilentFirst = true
    request.homeAccountID = account?.homeAccountID
    return request
  }

  /// The number of pages that the provider has shown.
  private var pages: Int { machine.browser.pages.count }

  @Test func `a cached token is returned without a page, even without an account`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    let shown = pages
    #expect(shown > 0)
    for request in [request(first.account), request()] {
      let result = try application.acquireTokenInteractive(request)
      #expect(result.source == .cache && result.accessToken == first.accessToken)
    }
    #expect(pages == shown)
  }

  @Test func `an expired token is refreshed without a page`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    let shown = pages
    machine.clock.advance(seconds: 86_400)
    let result = try application.acquireTokenInteractive(request(first.account))
    #expect(result.source == .network && result.accessToken != first.accessToken)
    #expect(result.browserReason == nil)
    #expect(pages == shown)
  }

  @Test func `if the provider declines scopes, the user is asked for them`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    let shown = pages
    var more = request(first.account)
    more.scopes = ["read", "write"]
    try machine.provider.perform(.set([.grantedScope("read openid profile")]))
    let declined = try application.acquireTokenInteractive(more)
    #expect(declined.declinedScopes == ["write"])
    #expect(pages > shown)
    try machine.provider.perform(.set([.grantedScope(nil)]))
    let granted = try application.acquireTokenInteractive(more)
    #expect(granted.declinedScopes.isEmpty && granted.scopes.contains("write"))
  }

  @Test func `if the provider requires interaction, the page gets its claims`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    machine.clock.advance(seconds: 86_400)
    let claims = #"{"access_token":{"capolids":{"essential":true}}}"#
    let body = JSONValue.object([
      "error": "interaction_required", "error_description": "AADSTS50076: more is needed.",
      "claims": .string(claims),
    ])
    try machine.provider.perform(
      .failTokenRequests(requests: 1, status: 400, body: body.serialized))
    var url = ""
    let result = try application.acquireTokenInteractive(request(first.account)) { url = $0.url }
    #expect(result.browserReason != nil)
    #expect(url.contains("claims=" + FormFields.escape(claims)))
    #expect(url.contains("login_hint=alice%40contoso.com"))
  }

  @Test func `with several accounts, loginHint selects one; without it, a page is shown`() throws {
    let application = try application()
    let alice = try application.acquireTokenInteractive(request())
    machine.browser.username = LocalUser.bob.username
    var asked = request()
    asked.prompt = .login
    asked.triesSilentFirst = false
    let bob = try application.acquireTokenInteractive(asked)
    #expect(bob.account.homeAccountID != alice.account.homeAccountID)
    var hinted = request()
    hinted.loginHint = "ALICE@contoso.com"
    #expect(try application.acquireTokenInteractive(hinted).accessToken == alice.accessToken)
    #expect(try application.acquireTokenInteractive(request()).source == .network)
  }

  @Test func `the silent call and the page share one deadline`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    machine.clock.advance(seconds: 86_400)
    let clock = machine.clock
    let slow = SlowRefusal(network: machine.transport, clock: clock)
    var dependencies = machine.dependencies
    dependencies.transport = slow
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    let other = try PublicClientApplication(configuration, in: dependencies)
    var asked = request(first.account)
    asked.timeout = .milliseconds(60_000)
    let began = clock.monotonicNanoseconds
    expect(.deadlineExceeded) { _ = try other.acquireTokenInteractive(asked) }
    #expect(clock.monotonicNanoseconds - began <= 60_000_000_000)
  }

  /// A transport with responses after 40 seconds, which rejects refreshes.
  private struct SlowRefusal: Transport {
    let network: LocalTransport
    let clock: VirtualClock

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      try clock.wait(nanoseconds: 40_000_000_000, within: limits)
      guard String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
      else { return try network.send(request, within: limits) }
      return .json(["error": "interaction_required"], status: 400)
    }
  }

  @Test func `a network failure does not open a page`() throws {
    let application = try application()
    let first = try application.acquireTokenInteractive(request())
    let shown = pages
    machine.clock.advance(seconds: 86_400)
    machine.isOnline = false
    expect(.networkFailed) {
      _ = try application.acquireTokenInteractive(request(first.account))
    }
    #expect(pages == shown)
  }

  @Test func `extra token parameters are sent by the silent call and the sign-in`() throws {
    let application = try application()
    var asked = request()
    asked.extraTokenParameters = ["one": "1"]
    let first = try application.acquireTokenInteractive(asked)
    machine.clock.advance(seconds: 86_400)
    asked.homeAccountID = first.account.homeAccountID
    _ = try application.acquireTokenInteractive(asked)
    let sent = machine.transport.requests.compactMap { request in
      FormFields(decoding: String(decoding: request.body, as: UTF8.self))
    }.filter { $0["grant_type"] != nil }
    #expect(sent.map { $0["grant_type"] } == ["authorization_code", "refresh_token"])
    #expect(sent.allSatisfy { $0["one"] == "1" })
  }

  @Test func `the async method behaves the same`() async throws {
    let application = try application()
    let first = try await application.acquireTokenInteractive(request())
    let shown = pages
    let result = try await application.acquireTokenInteractive(request(first.account))
    #expect(result.source == .cache && pages == shown)
    machine.clock.advance(seconds: 86_400)
    let refreshed = try await application.acquireTokenInteractive(request(first.account))
    #expect(refreshed.source == .network && pages == shown)
  }
}
