// SPDX-License-Identifier: MIT
// Personal accounts at authorities for work accounts, and the reverse: rejected without a request.

import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@Suite struct AudienceTests {
  private let bench = TestBench()

  @Test(arguments: [
    (LocalUser.dave, "organizations", "consumers"), (LocalUser.alice, "consumers", "organizations"),
  ])
  func `a token for an account outside the authority's audience is not requested`(
    _ user: LocalUser, _ wrong: String, _ right: String
  ) throws {
    let application = try bench.application()
    let account = try bench.signIn(application, as: user).account
    let requests = bench.provider.counts.requests
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.authority = bench.provider.entraAuthority(wrong)
    for forces in [false, true] {
      request.forcesRefresh = forces
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(request)
      }
      #expect(error?.code == .accountNotInTenant)
      #expect(error?.remedy == .signIn)
      #expect(error?.message.contains("/common") == true)
      #expect(try application.explain(request).error?.code == .accountNotInTenant)
    }
    #expect(bench.provider.counts.requests == requests, "The refresh token was shown.")
    request.authority = bench.provider.entraAuthority(right)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a personal account can request a token of another tenant`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application, as: .dave).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).source == .cache)
    var elsewhere = request
    elsewhere.authority = bench.provider.entraAuthority("contoso.onmicrosoft.com")
    // The server decides whether the tenant accepts the account.
    _ = try? application.acquireTokenSilent(elsewhere)
    #expect(bench.refreshes == 1)
  }

  @Test(arguments: ["x\r\nEvil: 1", "\u{e9}", String(repeating: "a", count: 201)])
  func `a correlation ID that is invalid in a header is rejected`(_ text: String) throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var silent = SilentRequest(account: account, scopes: ["user.read"])
    silent.forcesRefresh = true
    silent.correlationID = text
    var device = DeviceCodeRequest(scopes: ["user.read"])
    device.correlationID = text
    var leaving = SignOutRequest(scope: .application)
    leaving.account = account
    leaving.correlationID = text
    var page = SignInRequest(scopes: ["user.read"])
    page.correlationID = text
    let (silentCall, deviceCall, signOut, sign) = (silent, device, leaving, page)
    let calls: [() throws -> Void] = [
      { _ = try application.acquireTokenSilent(silentCall) },
      { _ = try application.acquireTokenByDeviceCode(deviceCall) { _ in } },
      { _ = try application.signOut(signOut) },
      { _ = try application.beginSignIn(sign) },
    ]
    for call in calls {
      let error = #expect(throws: TesseraError.self) { try call() }
      #expect(error?.code == .invalidMember)
      #expect(error?.message.contains("correlation_id") == true)
    }
    #expect(try application.accounts() == [account])
  }
}
