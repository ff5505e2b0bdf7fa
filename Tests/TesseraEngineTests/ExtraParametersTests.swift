// SPDX-License-Identifier: MIT
// Additional parameters of an application or a request, and the exact requests of a sign-out.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ExtraParametersTests {
  private let bench = TestBench(origin: "https://login.microsoftonline.com")
  private let base = "https://login.microsoftonline.com"

  private func application() throws -> PublicClientApplication {
    try bench.application { configuration in
      configuration.authority = base + "/common"
      configuration.authorityType = nil
      configuration.extraTokenParameters = ["kept": "1", "one": "configured"]
      configuration.extraQueryParameters = ["q": "configured"]
      configuration.slice = "testslice"
    }
  }

  private func signIn(_ application: PublicClientApplication) throws -> Account {
    var request = DeviceCodeRequest(scopes: ["user.read"])
    request.extraTokenParameters = ["one": "requested"]
    request.extraQueryParameters = ["q": "", "slice": "other"]
    return try application.acquireTokenByDeviceCode(request) { prompt in
      try? bench.provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }.account
  }

  @Test func `parameters of a request override those of the configuration`() throws {
    let application = try application()
    let account = try signIn(application)
    let sent = bench.transport.requests
    #expect(sent.count == 3)
    #expect(sent[1].url == "\(base)/common/oauth2/v2.0/devicecode?q&slice=other")
    #expect(sent[2].url == "\(base)/common/oauth2/v2.0/token?q&slice=other")
    #expect(body(sent[2]).contains("&kept=1&one=requested&"))
    var silent = SilentRequest(account: account, scopes: ["user.read"])
    silent.forcesRefresh = true
    _ = try application.acquireTokenSilent(silent)
    let tenant = LocalUser.alice.homeTenantID
    #expect(
      bench.transport.requests.last?.url
        == "\(base)/\(tenant)/oauth2/v2.0/token?q=configured&slice=testslice")
    silent.extraTokenParameters = ["blank": " ", "one": "2 & 3"]
    silent.extraQueryParameters = ["dc": "prod-wst-01"]
    _ = try application.acquireTokenSilent(silent)
    let last = try #require(bench.transport.requests.last)
    #expect(
      last.url
        == "\(base)/\(tenant)/oauth2/v2.0/token?dc=prod-wst-01&q=configured&slice=testslice")
    #expect(body(last).contains("&blank&kept=1&one=2+%26+3&"))
  }

  @Test func `a cached token is returned regardless of additional parameters`() throws {
    let application = try application()
    let account = try signIn(application)
    let before = bench.transport.requests.count
    var silent = SilentRequest(account: account, scopes: ["user.read"])
    let token = try application.acquireTokenSilent(silent).accessToken
    silent.extraTokenParameters = ["one": "other"]
    #expect(try application.acquireTokenSilent(silent).accessToken == token)
    #expect(bench.transport.requests.count == before)
  }

  @Test func `extra token parameters of a sign-in are sent when its code is redeemed`() throws {
    let machine = LocalMachine()
    func application() throws -> PublicClientApplication {
      var configuration = ApplicationConfiguration(clientID: "client")
      configuration.authority = machine.provider.issuer("main")
      configuration.extraTokenParameters = ["kept": "1", "one": "configured"]
      return try machine.application(configuration)
    }
    var options = AuthorizationOptions(scopes: ["read"])
    options.extraTokenParameters = ["one": "requested", "blank": " "]
    var shown = ""
    _ = try application().acquireTokenInteractive(InteractiveRequest(options)) { shown = $0.url }
    #expect(!shown.contains("requested"))
    let begun = try application().beginSignIn(SignInRequest(options))
    let answer = try #require(machine.browser.visit(begun.url))
    _ = try application().completeSignIn(RedirectResponse(state: begun.state, response: answer))
    let sent = machine.transport.requests.map(body).filter { $0.contains("authorization_code") }
    #expect(sent.count == 2)
    #expect(sent.allSatisfy { $0.contains("&blank&kept=1&one=requested") })
    options.extraTokenParameters = ["code_verifier": "x"]
    expect(.invalidMember) {
      _ = try application().acquireTokenInteractive(InteractiveRequest(options))
    }
    expect(.invalidMember) { _ = try application().beginSignIn(SignInRequest(options)) }
    options.extraTokenParameters = Dictionary(
      uniqueKeysWithValues: (0..<40).map { ("p\($0)", String(repeating: "x", count: 4096)) })
    expect(.invalidMember) { _ = try application().beginSignIn(SignInRequest(options)) }
  }

  @Test func `a sign-out sends one revocation request and returns the end-session URL`() throws {
    let bench = TestBench(origin: "https://id.example")
    let application = try bench.application { configuration in
      configuration.authority = "https://id.example/oidc/main"
      configuration.authorityType = nil
      configuration.extraTokenParameters = ["one": "1"]
      configuration.extraQueryParameters = ["q": "1"]
    }
    let account = try bench.signIn(application, scopes: ["read"]).account
    let before = bench.transport.requests.count
    var request = SignOutRequest(account: account)
    request.revokesTokens = true
    request.wantsEndSessionURL = true
    request.postLogoutRedirectURI = "https://app.example/bye bye"
    let report = try application.signOut(request)
    let sent = bench.transport.requests.dropFirst(before)
    let revocation = try #require(sent.first)
    #expect(sent.count == 1)
    #expect(revocation.method == "POST")
    #expect(revocation.url == "https://id.example/oidc/main/revoke")
    #expect(
      revocation.headers.map { "\($0.name): \($0.value)" } == [
        "Accept: application/json", "Content-Type: application/x-www-form-urlencoded",
      ])
    var text = body(revocation)
    for secret in bench.transport.secrets { text = text.replacing(secret, with: "SECRET") }
    #expect(text == "token=SECRET&token_type_hint=refresh_token&client_id=client")
    // The ID token is one of the secrets of the transport.
    var address = report.endSessionURL ?? ""
    for secret in bench.transport.secrets { address = address.replacing(secret, with: "SECRET") }
    #expect(
      address
        == "https://id.example/oidc/main/logout?id_token_hint=SECRET&client_id=client"
        + "&logout_hint=alice%40contoso.com"
        + "&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye%20bye")
  }

  @Test func `at Entra, no revocation request is sent`() throws {
    let application = try application()
    let account = try signIn(application)
    let before = bench.transport.requests.count
    var request = SignOutRequest(account: account)
    request.revokesTokens = true
    request.wantsEndSessionURL = true
    let report = try application.signOut(request)
    #expect(bench.transport.requests.count == before)
    #expect(report.revocations.allSatisfy { $0.error?.code == .flowUnsupported })
    var address = report.endSessionURL ?? ""
    for secret in bench.transport.secrets { address = address.replacing(secret, with: "SECRET") }
    #expect(
      address
        == "\(base)/common/oauth2/v2.0/logout?id_token_hint=SECRET&client_id=client&logout_hint=alice%40contoso.com"
    )
  }

  @Test func `client_secret is rejected because a public client has none`() throws {
    let error = #expect(throws: TesseraError.self) {
      try bench.application { $0.extraTokenParameters = ["client_secret": "s"] }
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("a public client has no secret") == true)
    #expect(error?.message.contains("which the library sends itself") == false)
  }

  private func body(_ request: HTTPRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }
}
