// SPDX-License-Identifier: MIT
// Throttling: a failure recorded by one process delays the same request in all processes, for a limited time.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ThrottlingTests {
  private let bench = TestBench()

  /// Returns a request for an account with an expired token.
  private func expired(
    _ application: PublicClientApplication, _ scopes: [String] = ["user.read"]
  ) throws -> SilentRequest {
    let account = try bench.signIn(application, scopes: scopes).account
    bench.clock.advance(seconds: 4000)
    return SilentRequest(account: account, scopes: scopes)
  }

  private func error(
    _ application: PublicClientApplication, _ request: SilentRequest
  ) -> TesseraError? {
    #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
  }

  @Test(arguments: [nil, "main"])
  func `Retry-After applies to 50 processes`(_ issuer: String?) throws {
    let request = try expired(try bench.application(issuer: issuer))
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    _ = error(try bench.application(issuer: issuer), request)
    let requests = bench.transport.requests.count
    for second in 0..<50 {
      let error = error(try bench.application(issuer: issuer), request)
      #expect(error?.code == .throttled)
      #expect(error?.retryAfterSeconds == Int64(60 - second))
      #expect(error?.oauthError == "temporarily_unavailable")
      bench.clock.advance(seconds: 1)
    }
    #expect(bench.transport.requests.count == requests)
    bench.clock.advance(seconds: 10)
    let application = try bench.application(issuer: issuer)
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.transport.requests.count == requests + 1)
  }

  @Test func `only the same request of the same account is throttled`() throws {
    let application = try bench.application()
    let request = try expired(application)
    let bob = try bench.signIn(application, as: .bob).account
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 3600))
    _ = error(application, request)
    var mail = request
    mail.scopes = ["mail.read"]
    #expect(try application.acquireTokenSilent(mail).source == .network)
    var forced = SilentRequest(account: bob, scopes: ["user.read"])
    forced.forcesRefresh = true
    #expect(try application.acquireTokenSilent(forced).source == .network)
    forced.homeAccountID = request.homeAccountID
    #expect(error(application, forced)?.code == .throttled)
    var spelled = request
    spelled.scopes = ["User.Read"]
    spelled.homeAccountID = request.homeAccountID.uppercased()
    #expect(error(application, spelled)?.code == .throttled)
    let other = try bench.application(client: "other")
    #expect(error(other, request)?.remedy == .signIn)
  }

  @Test func `a valid token is returned while a forced refresh is throttled`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    #expect(error(application, request)?.code == .throttled)
    request.forcesRefresh = false
    let result = try bench.application().acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(result.refreshError == nil)
  }

  @Test func `a sign-in removes the throttle record`() throws {
    let application = try bench.application()
    var request = try expired(application)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 3600))
    _ = error(application, request)
    try bench.signIn(application)
    #expect(try application.acquireTokenSilent(request).source == .cache)
    request.forcesRefresh = true
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [-86_400, -1, 0, 1, 3600, 86_400] as [Int64], [false, true])
  func `changing the clock does not extend the backoff`(_ shift: Int64, _ restarts: Bool) throws {
    let application = try bench.application()
    let request = try expired(application)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 3600))
    _ = error(application, request)
    bench.clock.shiftWallClock(seconds: shift)
    if restarts { bench.clock.restart() }
    // Until a reboot, setting the clock back does not end the backoff. Afterwards only the wall clock is available.
    let end: Int64 = shift < 0 ? (restarts ? 0 : 3600) : max(3600 - shift, 0)
    if end > 0 {
      #expect(error(try bench.application(), request)?.retryAfterSeconds == end)
      bench.clock.advance(seconds: end - 1)
      #expect(error(try bench.application(), request)?.retryAfterSeconds == 1)
      bench.clock.advance(seconds: 1)
    }
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `the backoff after server errors doubles, and a success resets it`() throws {
    let request = try expired(try bench.application())
    for pause in [5, 10, 20, 40, 60, 60] as [Int64] {
      try bench.provider.perform(.outage(requests: 1))
      let first = error(try bench.application(), request)
      #expect(first?.code == .serverUnavailable)
      let requests = bench.transport.requests.count
      let second = error(try bench.application(), request)
      #expect(second?.code == .throttled)
      #expect(second?.retryAfterSeconds == pause)
      #expect(bench.transport.requests.count == requests)
      bench.clock.advance(seconds: pause)
    }
    var forced = request
    forced.forcesRefresh = true
    #expect(try bench.application().acquireTokenSilent(forced).source == .network)
    try bench.provider.perform(.outage(requests: 1))
    _ = error(try bench.application(), forced)
    #expect(error(try bench.application(), forced)?.retryAfterSeconds == 5)
  }

  @Test func `a network failure is not throttled`() throws {
    let application = try bench.application()
    let request = try expired(application)
    bench.transport.network = .down
    for _ in 0..<2 { #expect(error(application, request)?.code == .networkFailed) }
    bench.transport.network = .up
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a rejected refresh token is not sent again`() throws {
    let request = try expired(try bench.application())
    let body =
      #"{"error":"interaction_required","suberror":"basic_action","claims":"{\"access_token\":{}}"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let first = error(try bench.application(), request)
    let requests = bench.transport.requests.count
    bench.clock.advance(seconds: 119)
    let second = error(try bench.application(), request)
    #expect(bench.transport.requests.count == requests)
    #expect(second?.remedy == .signIn)
    #expect(second?.code == first?.code)
    #expect(second?.suberror == "basic_action")
    #expect(second?.claims == first?.claims)
    var withNewToken = request
    withNewToken.claims = #"{"access_token":{}}"#
    #expect(try bench.application().acquireTokenSilent(withNewToken).source == .network)
    // The refresh token was rotated.
    #expect(bench.transport.requests.count == requests + 1)
    #expect(try bench.application().acquireTokenSilent(request).source == .cache)
  }

  @Test func `declined scopes are requested again after two minutes, or after a sign-in`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read", "mail.read"])
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    let first = try application.acquireTokenSilent(request)
    #expect(first.source == .network && first.declinedScopes == ["mail.read"])
    for _ in 0..<2 {
      let result = try application.acquireTokenSilent(request)
      #expect(result.source == .cache && result.declinedScopes == ["mail.read"])
      #expect(result.accessToken == first.accessToken)
      #expect(application.cachedResult(request) == nil)
    }
    #expect(bench.refreshes == 1)
    bench.clock.advance(seconds: 121)
    #expect(try application.acquireTokenSilent(request).declinedScopes == ["mail.read"])
    #expect(bench.refreshes == 2)
    try bench.provider.perform(.set([.grantedScope(nil)]))
    _ = try bench.signIn(application)
    #expect(try application.acquireTokenSilent(request).declinedScopes.isEmpty)
  }

  @Test(arguments: [nil, "main"])
  func `scopes that a sign-in declined are not requested again for two minutes`(
    _ issuer: String?
  ) throws {
    let application = try bench.application(issuer: issuer)
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    let scopes = ["user.read", "mail.read"]
    let signedIn = try bench.signIn(application, scopes: scopes)
    #expect(signedIn.declinedScopes == ["mail.read"])
    let request = SilentRequest(account: signedIn.account, scopes: scopes)
    let result = try bench.application(issuer: issuer).acquireTokenSilent(request)
    #expect(result.accessToken == signedIn.accessToken)
    #expect(result.source == .cache && result.declinedScopes == ["mail.read"])
    #expect(bench.refreshes == 0)
    bench.clock.advance(seconds: 121)
    #expect(try application.acquireTokenSilent(request).source == .network)
    // Another sign-in may be granted what the last one was not.
    try bench.provider.perform(.set([.grantedScope(nil)]))
    #expect(try bench.signIn(application, scopes: scopes).declinedScopes.isEmpty)
    #expect(try application.acquireTokenSilent(request).declinedScopes.isEmpty)
    #expect(bench.refreshes == 1)
  }

  @Test func `without the token for the granted scopes, declined scopes are an error`() throws {
    let application = try bench.application()
    try bench.provider.perform(
      .set([.accessTokenLifetime(seconds: 60), .grantedScope("user.read")]))
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read", "mail.read"])
    #expect(try application.acquireTokenSilent(request).declinedScopes == ["mail.read"])
    bench.clock.advance(seconds: 90)
    let error = error(application, request)
    #expect(error?.code == .serverDeclinedScopes)
    #expect(error?.grantedScopes == ["user.read"] && error?.declinedScopes == ["mail.read"])
    #expect(bench.refreshes == 1)
  }

  @Test func `the record of a rejected refresh token expires after two minutes`() throws {
    let request = try expired(try bench.application())
    let body = #"{"error":"interaction_required"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    _ = error(try bench.application(), request)
    bench.clock.advance(seconds: 120)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `without Retry-After, the first throttled error has the default backoff`()
    throws
  {
    let request = try expired(try bench.application())
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 429, body: "{}"))
    let first = error(try bench.application(), request)
    #expect(first?.code == .throttled)
    #expect(first?.retryAfterSeconds == 60)
    bench.clock.advance(seconds: 20)
    #expect(error(try bench.application(), request)?.retryAfterSeconds == 40)
    bench.clock.advance(seconds: 40)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `a recorded error has the rest of its Retry-After duration`() throws {
    let request = try expired(try bench.application())
    let body = #"{"error":"interaction_required"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let transport = EditedTransport(network: bench.transport) { _, response in
      var response = response
      if response.status == 400 { response.headers.append(HTTPHeader("Retry-After", "90")) }
      return response
    }
    #expect(error(try bench.application(transport: transport), request)?.retryAfterSeconds == 90)
    bench.clock.advance(seconds: 30)
    let cachedError = error(try bench.application(), request)
    #expect(cachedError?.code == .interactionRequired)
    #expect(cachedError?.retryAfterSeconds == 60)
    bench.clock.advance(seconds: 70)
    #expect(error(try bench.application(), request)?.retryAfterSeconds == nil)
  }

  @Test func `a sign-out removes throttle records, and a failure removes expired ones`() throws {
    let application = try bench.application()
    let request = try expired(application)
    func records() throws -> Int {
      var selection = SnapshotSelection()
      selection.owner = request.homeAccountID
      return try bench.store.snapshot(selection, within: .none).throttles.count
    }
    for scope in ["mail.read", "files.read"] {
      try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 10))
      _ = error(
        application, SilentRequest(homeAccountID: request.homeAccountID, scopes: [scope]))
      #expect(try records() == 1)
      bench.clock.advance(seconds: 100)
    }
    try application.removeAccount(try application.account(homeAccountID: request.homeAccountID))
    #expect(try records() == 0)
  }
}
