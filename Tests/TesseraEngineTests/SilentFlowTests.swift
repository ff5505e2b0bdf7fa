// SPDX-License-Identifier: MIT
// The silent flow: cached tokens, refreshes, errors, deadlines and cancellation.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SilentFlowTests {
  private let bench = TestBench()

  @Test func `a cached token is returned without network`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    bench.transport.network = .down
    let fresh = try bench.application()
    let request = SilentRequest(account: signedIn.account, scopes: ["User.Read"])
    for _ in 0..<2 {
      let result = try fresh.acquireTokenSilent(request)
      #expect(result.source == .cache)
      #expect(result.accessToken == signedIn.accessToken)
      #expect(result.account == signedIn.account)
      #expect(result.idToken == signedIn.idToken)
    }
  }

  @Test func `an expired token is refreshed once, and cached for all applications`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 3600)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let refreshed = try application.acquireTokenSilent(request)
    #expect(refreshed.source == .network)
    let other = try bench.application().acquireTokenSilent(request)
    #expect(other.source == .cache)
    #expect(other.accessToken == refreshed.accessToken)
    #expect(bench.refreshes == 1)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a request that is not sent for lack of time is not logged`() throws {
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 3600)
    let lines = Mutex<[String]>([])
    var dependencies = bench.dependencies
    dependencies.log = TesseraLog(level: .detail) { _, line in lines.withLock { $0.append(line) } }
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.entraAuthority("common")
    configuration.authorityType = .entra
    let application = try PublicClientApplication(configuration, in: dependencies)
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.timeout = .zero
    expect(.deadlineExceeded) { _ = try application.acquireTokenSilent(request) }
    #expect(lines.withLock { $0 } == [])
    request.timeout = nil
    _ = try application.acquireTokenSilent(request)
    #expect(lines.withLock { $0 }.contains { $0.hasPrefix("Refreshing") })
  }

  @Test(arguments: [false, true])
  func `personal data is logged only on request`(includesPII: Bool) throws {
    let lines = Mutex<[String]>([])
    var dependencies = bench.dependencies
    dependencies.log = TesseraLog(level: .detail, includesPII: includesPII) { _, line in
      lines.withLock { $0.append(line) }
    }
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.entraAuthority("common")
    configuration.authorityType = .entra
    let application = try PublicClientApplication(configuration, in: dependencies)
    let account = try bench.signIn(application).account
    let name = try #require(account.username)
    _ = try application.signOut(SignOutRequest(account: account))
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains(name) == includesPII)
    #expect(text.contains(MaskedName(name).description) == !includesPII)
    let log = dependencies.log
    let path = "/home/alice/cache.json"
    #expect(log.text(ofPath: path) == (includesPII ? path : "cache.json"))
    let chosen = "/home/x/alice.json"
    #expect(log.text(ofChosenPath: chosen).contains("alice") == includesPII)
    #expect(log.text(ofChosenPath: chosen) != log.text(ofChosenPath: path))
    let error = TesseraError(.fixStorage, .storeUnavailable, "/home/alice is not readable.")
    #expect(log.text(of: error).contains("/home/alice") == includesPII)
    let attempt = KeyAttempt(source: .keyFile, problem: .unsafe, reason: "/home/alice is unsafe")
    #expect(log.text(of: [attempt]).contains("/home/alice") == includesPII)
  }

  @Test func `a token is refreshed within its margin, at most half of its lifetime`() throws {
    try bench.provider.perform(.set([.accessTokenLifetime(seconds: 120)]))
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    bench.clock.advance(seconds: 59)
    #expect(try application.acquireTokenSilent(request).source == .cache)
    bench.clock.advance(seconds: 2)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a token for new scopes is requested with the refresh token`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let mail = SilentRequest(account: account, scopes: ["mail.read"])
    #expect(try application.acquireTokenSilent(mail).source == .network)
    #expect(try application.acquireTokenSilent(mail).source == .cache)
    let first = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(first).source == .cache)
  }

  @Test func `a forced refresh and a claims challenge bypass the cache`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    var request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    request.forcesRefresh = true
    let forced = try application.acquireTokenSilent(request)
    #expect(forced.source == .network)
    #expect(forced.accessToken != signedIn.accessToken)
    request.forcesRefresh = false
    request.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.refreshes == 2)
  }

  @Test func `a network failure with an expired token can be retried`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    bench.transport.network = .down
    let request = SilentRequest(account: account, scopes: ["user.read"])
    expect(.networkFailed) { _ = try application.acquireTokenSilent(request) }
    bench.transport.network = .up
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a revoked refresh token requires a sign-in`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    try bench.provider.perform(.revokeRefreshTokens(username: LocalUser.alice.username))
    bench.clock.advance(seconds: 4000)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(request)
    }
    #expect(error?.remedy == .signIn)
    #expect(error?.oauthError == "invalid_grant")
    try bench.signIn(application)
    #expect(try application.acquireTokenSilent(request).source == .cache)
  }

  @Test func `the error includes the server's claims`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    let body = #"{"error":"interaction_required","suberror":"basic_action","claims":"{\"a\":1}"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
    }
    #expect(error?.remedy == .signIn)
    #expect(error?.claims == #"{"a":1}"#)
    #expect(error?.msalCode?.code == -50002)
  }

  @Test func `with a clock that is a day slow, the token is refreshed once`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let clock = bench.clock
    let slow = LocalMachine(
      origin: bench.provider.origin, clock: VirtualClock(), store: bench.store)
    slow.clock.shiftWallClock(seconds: clock.now.seconds(since: slow.clock.now) - 86_400)
    let behind = try bench.application(time: slow.clock)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try behind.acquireTokenSilent(request).source == .network)
    #expect(try behind.acquireTokenSilent(request).source == .cache)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a sign-out during a refresh is not reverted`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    bench.transport.latencyNanoseconds = 2_000_000_000
    let other = try bench.application()
    bench.clock.schedule(after: .seconds(1)) { _ = try? other.removeAccount(account) }
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let result = try application.acquireTokenSilent(request)
    #expect(!result.isPersisted)
    #expect(result.warnings.count == 1)
    #expect(try other.accounts().isEmpty)
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
  }

  @Test func `a throttled error has the Retry-After value`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 42))
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
    }
    #expect(error?.code == .throttled)
    #expect(error?.retryAfterSeconds == 42)
  }

  @Test func `a response that is not JSON does not remove the refresh token`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    try bench.provider.perform(
      .failTokenRequests(requests: 1, status: 200, body: "<html>Wi-Fi login</html>"))
    let request = SilentRequest(account: account, scopes: ["user.read"])
    expect(.invalidResponse) { _ = try application.acquireTokenSilent(request) }
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test(
    arguments: [
      ([], TesseraError.Code.scopesRequired), (["  "], .scopesRequired),
      (["profile"], .scopesRequired),
      (["Offline_Access", "profile"], .scopesRequired), (["a b"], .invalidMember),
    ] as [([String], TesseraError.Code)])
  func `scopes are validated before any request`(_ scopes: [String], _ code: TesseraError.Code)
    throws
  {
    let application = try bench.application()
    expect(code) {
      _ = try application.acquireTokenSilent(SilentRequest(homeAccountID: "h", scopes: scopes))
    }
    #expect(bench.transport.requests.isEmpty)
  }

  @Test(arguments: [["user.read", "openid"], ["Profile", "user.read", "OFFLINE_ACCESS"]])
  func `scopes that the library adds are ignored`(_ scopes: [String]) throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let result = try application.acquireTokenSilent(SilentRequest(account: account, scopes: scopes))
    #expect(result.source == .cache)
  }

  @Test func `a request without an account is for the only one`() throws {
    let application = try bench.application()
    let request = SilentRequest(scopes: ["user.read"])
    expect(.accountNotFound) { _ = try application.acquireTokenSilent(request) }
    let account = try bench.signIn(application).account
    #expect(try application.acquireTokenSilent(request).account == account)
  }

  @Test func `an unknown account requires a sign-in, without a request`() throws {
    let application = try bench.application()
    expect(.interactionRequired) {
      _ = try application.acquireTokenSilent(SilentRequest(homeAccountID: "h.t", scopes: ["a"]))
    }
    #expect(bench.transport.requests.isEmpty)
  }

  @Test func `a call cancelled in advance throws cancelled`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let cancellation = Cancellation()
    cancellation.cancel()
    expect(.cancelled) {
      _ = try application.acquireTokenSilent(
        SilentRequest(account: account, scopes: ["user.read"]), cancellation: cancellation)
    }
  }

  @Test func `a refresh ends at the deadline`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    bench.transport.latencyNanoseconds = 60_000_000_000
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.timeout = .milliseconds(500)
    expect(.deadlineExceeded) { _ = try application.acquireTokenSilent(request) }
  }

  @Test func `a second process refreshes with one request`() throws {
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 4000)
    let before = bench.transport.requests.count
    let second = try bench.application()
    _ = try second.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
    #expect(bench.transport.requests.count == before + 1)
  }

  @Test func `the async method returns the same results`() async throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try await application.acquireTokenSilent(request).source == .cache)
    bench.clock.advance(seconds: 4000)
    #expect(try await application.acquireTokenSilent(request).source == .network)
  }

  @Test func `cancelling a task ends a running call and a queued one`()
    async throws
  {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    let silence = SilentServer()
    let stuck = try bench.application(transport: silence)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let first = Task { try await stuck.acquireTokenSilent(request) }
    await silence.waitForRequest()
    let second = Task { try await stuck.acquireTokenSilent(request) }
    second.cancel()
    for task in [second, first] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
