// SPDX-License-Identifier: MIT
// The same scenario for every kind of authority: sign-in, silent call, refresh, claims challenge and sign-out.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

/// A provider of one kind, with the configuration of an application for it.
struct ProviderKind: Sendable, CustomTestStringConvertible {
  let origin: String
  let authority: String
  var type: AuthorityType?
  /// The number of discovery requests of the first sign-in: the document, and instance discovery for an unknown host.
  var discoveryRequests = 1
  var environment: String?
  var testDescription: String { "\(authority) \(type?.rawValue ?? "")" }

  static let all = [
    ProviderKind(
      origin: "https://login.microsoftonline.com",
      authority: "https://login.microsoftonline.com/common", environment: "login.windows.net"),
    ProviderKind(
      origin: "https://login.microsoftonline.us",
      authority: "https://login.microsoftonline.us/contoso.com"),
    ProviderKind(
      origin: "http://127.0.0.1:8400", authority: "http://127.0.0.1:8400/organizations",
      type: .entra, discoveryRequests: 2),
    ProviderKind(
      origin: "https://login.microsoftonline.com",
      authority: "https://login.microsoftonline.com/tfp/customers.onmicrosoft.com/B2C_1_signin"),
    ProviderKind(
      origin: "https://customers.b2clogin.com",
      authority: "https://customers.b2clogin.com/customers.onmicrosoft.com/B2C_1_signin"),
    ProviderKind(
      origin: "https://login.contoso.example",
      authority: "https://login.contoso.example/customers.onmicrosoft.com/b2c_1_signin", type: .b2c),
    ProviderKind(
      origin: "https://external.ciamlogin.com", authority: "https://external.ciamlogin.com"),
    ProviderKind(
      origin: "https://external.ciamlogin.com",
      authority: "https://external.ciamlogin.com/44444444-4444-4444-8444-444444444444"),
    ProviderKind(
      origin: "https://login.contoso.example",
      authority: "https://login.contoso.example/external.onmicrosoft.com", type: .ciam),
    ProviderKind(
      origin: "https://adfs.contoso.example", authority: "https://adfs.contoso.example/adfs"),
    ProviderKind(
      origin: "https://id.example", authority: "https://id.example/oidc/main",
      environment: "id.example/oidc/main"),
  ]

  /// All hosts of all clouds, with the environment of their records.
  static let clouds = [
    ("login.microsoftonline.com", "login.windows.net"),
    ("login.windows.net", "login.windows.net"), ("login.microsoft.com", "login.windows.net"),
    ("sts.windows.net", "login.windows.net"),
    ("login.partner.microsoftonline.cn", "login.partner.microsoftonline.cn"),
    ("login.chinacloudapi.cn", "login.partner.microsoftonline.cn"),
    ("login.microsoftonline.us", "login.microsoftonline.us"),
    ("login.usgovcloudapi.net", "login.microsoftonline.us"),
    ("login.microsoftonline.de", "login.microsoftonline.de"),
    ("login-us.microsoftonline.com", "login-us.microsoftonline.com"),
    ("login.sovcloud-identity.fr", "login.sovcloud-identity.fr"),
    ("login.sovcloud-identity.de", "login.sovcloud-identity.de"),
    ("login.sovcloud-identity.sg", "login.sovcloud-identity.sg"),
  ].map { host, environment in
    ProviderKind(
      origin: "https://\(host)", authority: "https://\(host)/organizations",
      environment: environment)
  }
}

@Suite struct AuthorityKindsTests {
  private let scopes = ["https://api.contoso.example/files.read"]

  private func application(_ bench: TestBench, _ shape: ProviderKind) throws
    -> PublicClientApplication
  {
    try bench.application { configuration in
      configuration.authority = shape.authority
      configuration.authorityType = shape.type
    }
  }

  @Test(arguments: ProviderKind.all + ProviderKind.clouds)
  func `sign-in, silent call, refresh, claims and sign-out succeed`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    let application = try application(bench, shape)
    let signedIn = try bench.signIn(application, scopes: scopes)
    let account = signedIn.account
    #expect(account.username == LocalUser.alice.username)
    let host = shape.origin.replacing("https://", with: "")
    #expect(account.environment == shape.environment ?? host)
    #expect(account.tenantProfiles.map(\.isHomeTenant) == [true])
    #expect(bench.provider.counts.discoveryRequests == shape.discoveryRequests)

    var request = SilentRequest(account: account, scopes: scopes)
    #expect(try application.acquireTokenSilent(request).accessToken == signedIn.accessToken)
    bench.clock.advance(seconds: 3600)
    let refreshed = try application.acquireTokenSilent(request)
    #expect(refreshed.source == .network)
    #expect(refreshed.accessToken != signedIn.accessToken)
    #expect(refreshed.account == account)
    #expect(refreshed.tenantID == signedIn.tenantID)
    #expect(refreshed.authority == signedIn.authority)

    request.claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
    let challenged = try application.acquireTokenSilent(request)
    #expect(challenged.source == .network)
    request.claims = nil
    let cached = try application.acquireTokenSilent(request)
    #expect(cached.accessToken == challenged.accessToken)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
    #expect(bench.provider.counts.discoveryRequests == shape.discoveryRequests)

    #expect(try application.removeAccount(account))
    #expect(try application.accounts().isEmpty)
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.remedy == .signIn)
  }

  @Test(arguments: ProviderKind.all + ProviderKind.clouds)
  func `another application gets the token from the store, offline`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    let signedIn = try bench.signIn(try application(bench, shape), scopes: scopes)
    let before = bench.transport.requests.count
    bench.transport.network = .down
    let other = try application(bench, shape)
    #expect(try other.accounts() == [signedIn.account])
    let account = try other.account(username: LocalUser.alice.username)
    let result = try other.acquireTokenSilent(SilentRequest(account: account, scopes: scopes))
    #expect(result.source == .cache)
    #expect(result.accessToken == signedIn.accessToken)
    #expect(result.authority == signedIn.authority)
    #expect(bench.transport.requests.count == before)
  }

  @Test(arguments: ProviderKind.all)
  func `an error that requires user interaction includes its claims`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    let application = try application(bench, shape)
    let account = try bench.signIn(application, scopes: scopes).account
    let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
    let body: JSONValue = ["error": "interaction_required", "claims": .string(claims)]
    try bench.provider.perform(
      .failTokenRequests(
        requests: 1, status: 400,
        body: body.serialized))
    var request = SilentRequest(account: account, scopes: scopes)
    request.forcesRefresh = true
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.remedy == .signIn)
    #expect(error?.claims == claims)
    let again = try bench.signIn(application, scopes: scopes)
    #expect(again.account == account)
  }

  @Test func `two B2C policies of one tenant have separate accounts`() throws {
    let bench = TestBench(origin: "https://customers.b2clogin.com")
    let application = try bench.application { configuration in
      configuration.authority = bench.provider.b2cAuthority("b2c_1_signin", tfp: false)
      configuration.authorityType = nil
    }
    let first = try bench.signIn(application).account
    var request = DeviceCodeRequest(scopes: ["user.read"])
    request.authority = bench.provider.b2cAuthority("b2c_1_edit", tfp: false)
    let second = try application.acquireTokenByDeviceCode(request) { prompt in
      try? bench.provider.perform(
        .approve(userCode: prompt.userCode, username: first.username ?? ""))
    }.account
    #expect(first.homeAccountID.hasSuffix("-b2c_1_signin.33333333-3333-4333-8333-333333333333"))
    #expect(second.homeAccountID.hasSuffix("-b2c_1_edit.33333333-3333-4333-8333-333333333333"))
    expect(.ambiguousAccount) { _ = try application.account(username: first.username ?? "") }
    let anonymous = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(anonymous)
    }
    #expect(error?.code == .ambiguousAccount)
    #expect(error?.message.contains(first.username ?? "no name") == true)
    bench.clock.advance(seconds: 3600)
    var silent = SilentRequest(account: second, scopes: ["user.read"])
    expect(.interactionRequired) {
      // A refresh token of one policy is not valid for the other.
      _ = try application.acquireTokenSilent(silent)
    }
    silent.authority = request.authority
    #expect(try application.acquireTokenSilent(silent).source == .network)
  }
}
