// SPDX-License-Identifier: MIT
// Interactive sign-ins in a browser, with each kind of provider.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct InteractiveFlowTests {
  private let machine = LocalMachine()

  private func application(
    _ authority: String? = nil, type: AuthorityType? = .entra,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = authority ?? machine.provider.entraAuthority()
    configuration.authorityType = type
    change(&configuration)
    return try machine.application(configuration)
  }

  private func signIn(
    _ application: PublicClientApplication,
    change: (inout InteractiveRequest) -> Void = { _ in }
  ) throws -> TokenResult {
    var request = InteractiveRequest(scopes: ["read"])
    change(&request)
    return try application.acquireTokenInteractive(request)
  }

  @Test func `the requested account ID is compared without case`() throws {
    let application = try application()
    let account = try signIn(application).account
    var request = InteractiveRequest(scopes: ["read"])
    request.homeAccountID = account.homeAccountID.uppercased()
    var url = ""
    _ = try application.acquireTokenInteractive(request) { url = $0.url }
    #expect(url.contains("login_hint=alice%40contoso.com") && !url.contains("prompt="))
    try application.removeAccount(account)
    _ = try application.acquireTokenInteractive(request) { url = $0.url }
    #expect(url.contains("prompt=login"))
  }

  @Test func `after a sign-in, a silent call returns the same token`() throws {
    let application = try application()
    var shown: [String] = []
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"])) {
      shown.append($0.url)
    }
    #expect(result.account.homeAccountID == LocalUser.alice.homeAccountID)
    #expect(result.source == .network)
    #expect(result.isPersisted)
    #expect(result.browserReason == "requested by a test")
    #expect(shown.count == 1)
    #expect(shown.first?.contains("redirect_uri=http%3A%2F%2Flocalhost%3A50123&") == true)
    #expect(shown.first?.contains("client_info=1&client-request-id=") == true)
    let silent = try application.acquireTokenSilent(
      SilentRequest(account: result.account, scopes: ["read"]))
    #expect(silent.accessToken == result.accessToken)
  }

  @Test(arguments: ["plain", "b2c", "ciam", "adfs"], ResponseMode.allCases)
  func `every kind of authority signs in with each response mode`(
    _ kind: String, _ mode: ResponseMode
  ) throws {
    let provider = machine.provider
    let (authority, type): (String, AuthorityType) =
      switch kind {
      case "b2c": (provider.b2cAuthority("b2c_1_signin"), .b2c)
      case "ciam": (provider.ciamAuthority, .ciam)
      case "adfs": (provider.adfsAuthority, .adfs)
      default: (provider.issuer("main"), .openID)
      }
    let result = try signIn(application(authority, type: type)) { $0.responseMode = mode }
    #expect(result.account.username == LocalUser.alice.username || kind == "b2c")
    #expect(result.idToken != nil)
    #expect(machine.browser.pages.contains("Back to the application") == (mode == .formPost))
  }

  @Test func `the request to an OpenID Connect provider has no Microsoft parameters`() throws {
    var shown = ""
    _ = try application(machine.provider.issuer("main"), type: .openID)
      .acquireTokenInteractive(InteractiveRequest(scopes: ["read"])) { shown = $0.url }
    for word in ["client_info", "client-request-id", "response_mode", "instance_aware"] {
      #expect(!shown.contains(word))
    }
  }

  @Test func `declining or closing the page is reported as access_denied`() throws {
    let application = try application()
    machine.browser.decision = .decline
    let error = #expect(throws: TesseraError.self) { try signIn(application) }
    #expect(error?.code == .accessDenied)
    #expect(error?.remedy == .cancelled)
    #expect(error?.serverCodes == [65004])
    #expect(error?.correlationID?.isEmpty == false)
    machine.browser.decision = .close
    expect(.accessDenied) { _ = try signIn(application) }
    #expect(try application.accounts().isEmpty)
  }

  @Test func `tokens of a different account are rejected unless acceptsOtherAccount is set`() throws
  {
    let application = try application()
    let alice = try signIn(application).account
    machine.browser.username = LocalUser.bob.username
    func asAlice(_ others: Bool) throws -> TokenResult {
      try signIn(application) {
        $0.homeAccountID = alice.homeAccountID
        $0.prompt = .login
        $0.acceptsOtherAccount = others
      }
    }
    let error = #expect(throws: TesseraError.self) { try asAlice(false) }
    #expect(error?.code == .accountMismatch)
    #expect(error?.username == LocalUser.bob.username)
    #expect(error?.homeAccountID == LocalUser.bob.homeAccountID)
    #expect(try application.accounts().count == 1)
    #expect(try asAlice(true).account.homeAccountID == LocalUser.bob.homeAccountID)
    #expect(try application.accounts().count == 2)
  }

  @Test
  func `login_hint is set, and a signed-out account is sent prompt=login`()
    throws
  {
    let application = try application()
    let alice = try signIn(application).account
    var shown: [String] = []
    func again(_ prompt: SignInPromptType? = nil) throws {
      var request = InteractiveRequest(scopes: ["read"])
      request.homeAccountID = alice.homeAccountID
      request.prompt = prompt
      _ = try application.acquireTokenInteractive(request) { shown.append($0.url) }
    }
    try again()
    #expect(shown.last?.contains("login_hint=alice%40contoso.com") == true)
    #expect(shown.last?.contains("&prompt=") == false)
    #expect(shown.last?.contains("&login_req=") == true)
    var signOut = SignOutRequest()
    signOut.homeAccountID = alice.homeAccountID
    _ = try application.signOut(signOut)
    try again()
    #expect(shown.last?.contains("&prompt=login") == true)
    _ = try application.signOut(signOut)
    try again(.consent)
    #expect(shown.last?.contains("&prompt=consent") == true)
  }

  @Test func `an ID token without the nonce of the request is rejected`() throws {
    let application = try application { $0.usesInstanceDiscovery = true }
    let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
    let swapped = begun.url.split(separator: "&").map {
      $0.hasPrefix("nonce=") ? "nonce=other" : $0
    }
    let answer = try #require(machine.browser.visit(swapped.joined(separator: "&")))
    expect(.invalidIDToken) {
      _ = try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
    }
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a result names the declined scopes`() throws {
    let application = try application()
    try machine.provider.perform(.set([.grantedScope("read openid profile")]))
    let result = try signIn(application) { $0.scopes = ["read", "write"] }
    #expect(result.declinedScopes == ["write"])
    #expect(try signIn(application) { $0.scopes = ["read"] }.declinedScopes.isEmpty)
  }

  @Test func `extraScopesToConsent are sent to the page but not in the token request`() throws {
    let application = try application()
    var shown = ""
    var request = InteractiveRequest(scopes: ["read"])
    request.extraScopesToConsent = ["https://other.example/write"]
    request.extraQueryParameters = ["zone": "a b", "state": "no"]
    expect(.invalidMember) { _ = try application.acquireTokenInteractive(request) }
    request.extraQueryParameters["state"] = nil
    _ = try application.acquireTokenInteractive(request) { shown = $0.url }
    #expect(shown.contains("scope=read%20https%3A%2F%2Fother.example%2Fwrite%20openid"))
    #expect(shown.contains("zone=a%20b"))
    let sent = machine.provider.requestLog.last { $0.fields["grant_type"] == "authorization_code" }
    #expect(sent?.fields["scope"] == "read openid profile offline_access")
  }

  @Test func `claims and capabilities are sent to the page and the token endpoint`() throws {
    let application = try application { $0.clientCapabilities = ["CP1"] }
    var shown = ""
    var request = InteractiveRequest(scopes: ["read"])
    request.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    _ = try application.acquireTokenInteractive(request) { shown = $0.url }
    let claims =
      #"{"access_token":{"nbf":{"essential":true},"xms_cc":{"values":["CP1"]}}}"#
    #expect(shown.contains("claims=" + FormFields.escape(claims)))
    let sent = machine.provider.requestLog.last { $0.fields["grant_type"] == "authorization_code" }
    #expect(sent?.fields["claims"] == claims)
  }

  @Test func `prompt=none shows no page and fails without a session`() throws {
    let application = try application()
    expect(.interactionRequired) {
      _ = try signIn(application) { $0.prompt = SignInPromptType.none }
    }
    #expect(machine.browser.pages.isEmpty)
    _ = try signIn(application)
    #expect(try signIn(application) { $0.prompt = SignInPromptType.none }.source == .network)
  }

  @Test func `form_post in a web view is rejected before any request`() throws {
    let application = try application()
    let error = #expect(throws: TesseraError.self) {
      try signIn(application) {
        $0.responseMode = .formPost
        $0.browser.webviewType = .embedded
      }
    }
    #expect(error?.code == .invalidMember)
    #expect(machine.provider.requestLog.isEmpty)
  }

  @Test func `without a browser, the error is browser_unavailable`() throws {
    var dependencies = machine.dependencies
    dependencies.browser = NoBrowser()
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    let application = try PublicClientApplication(configuration, in: dependencies)
    expect(.browserUnavailable) { _ = try signIn(application) }
  }
}
