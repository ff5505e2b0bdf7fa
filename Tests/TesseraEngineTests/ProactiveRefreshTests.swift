// SPDX-License-Identifier: MIT
// Proactive refresh: if the refresh is due but not required, the call returns a token within its time limit.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ProactiveRefreshTests {
  /// The failures of a refresh.
  enum RefreshFailure: String, CaseIterable, Sendable {
    case outage, throttling, noNetwork, silence, noJSON, rejection = "refusal", badIDToken,
      busyStore, fullStore

    var expected: TesseraError.Code? {
      switch self {
      case .outage: .serverUnavailable
      case .throttling: .throttled
      case .noNetwork: .networkFailed
      case .silence: .deadlineExceeded
      case .noJSON: .invalidResponse
      case .rejection: .refreshTokenRejected
      case .badIDToken: .invalidIDToken
      case .busyStore: .storeBusy
      case .fullStore: nil
      }
    }
  }

  /// A store with a configurable write error.
  private final class FailingCommitStore: WrappingStore {
    let store: any CredentialStore
    private let commitError = SpinLock<TesseraError?>(nil)

    init(time: any TimeSource) {
      store = MemoryStore(time: time)
    }

    func fail(with error: TesseraError?) { commitError.withLock { $0 = error } }

    private func check() throws(TesseraError) {
      if let error = commitError.withLock({ $0 }) { throw error }
    }

    func checkWritable(within limits: CallLimits) throws(TesseraError) { try check() }

    func commit(
      _ change: CacheChange, within limits: CallLimits
    ) throws(TesseraError) -> CommitOutcome {
      try check()
      return try store.commit(change, within: limits)
    }
  }

  private let store: FailingCommitStore
  private let bench: TestBench

  init() {
    let clock = VirtualClock()
    store = FailingCommitStore(time: clock)
    bench = TestBench(clock: clock, store: store)
  }

  /// Returns a request for an account with a token due for refresh.
  private func due() throws -> SilentRequest {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 700)
    return SilentRequest(account: account, scopes: ["user.read"])
  }

  private func make(_ commitError: RefreshFailure) throws -> PublicClientApplication {
    switch commitError {
    case .outage: try bench.provider.perform(.outage(requests: nil))
    case .throttling:
      try bench.provider.perform(.throttle(requests: 1000, retryAfterSeconds: 20))
    case .noNetwork: bench.transport.network = .down
    case .silence: bench.transport.latencyNanoseconds = 3_600_000_000_000
    case .noJSON:
      try bench.provider.perform(.failTokenRequests(requests: 1000, status: 200, body: "<html>"))
    case .rejection:
      try bench.provider.perform(.revokeRefreshTokens(username: LocalUser.alice.username))
    case .badIDToken:
      return try bench.application(transport: DamagingTransport(bench.transport))
    case .busyStore: store.fail(with: TesseraError(.retryLater, .storeBusy, "Busy."))
    case .fullStore: store.fail(with: TesseraError(.fixStorage, .storeFull, "Full."))
    }
    return try bench.application()
  }

  @Test(arguments: RefreshFailure.allCases)
  func `a failed proactive refresh returns the cached token within five seconds`(
    _ commitError: RefreshFailure
  )
    throws
  {
    let request = try due()
    let application = try make(commitError)
    let before = bench.clock.now
    let result = try application.acquireTokenSilent(request)
    #expect(bench.clock.now.seconds(since: before) <= 5)
    #expect(result.refreshError?.code == commitError.expected)
    #expect(result.source == (commitError == .fullStore ? .network : .cache))
  }

  @Test(arguments: RefreshFailure.allCases.filter { $0 != .fullStore })
  func `after a failure, the refresh is not retried for some time`(_ commitError: RefreshFailure)
    throws
  {
    let request = try due()
    let application = try make(commitError)
    _ = try application.acquireTokenSilent(request)
    let requests = bench.transport.requests.count
    for _ in 0..<3 {
      let result = try application.acquireTokenSilent(request)
      #expect(result.source == .cache)
      #expect(result.refreshError != nil)
      // The result is from the response cache, without another decision.
      #expect(application.cachedResult(request) != nil)
      bench.clock.advance(seconds: 9)
    }
    if commitError != .busyStore {
      #expect(try bench.application().acquireTokenSilent(request).refreshError != nil)
    }
    #expect(bench.transport.requests.count == requests)
  }

  @Test func `after the backoff, the refresh is retried`() throws {
    let request = try due()
    _ = try make(.outage).acquireTokenSilent(request)
    try bench.provider.perform(.recover)
    bench.clock.advance(seconds: 29)
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    bench.clock.advance(seconds: 1)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.refreshError == nil)
    #expect(try bench.application().acquireTokenSilent(request).refreshError == nil)
  }

  @Test func `a failed proactive refresh does not delay the refresh of an expired token`() throws {
    let request = try due()
    let application = try make(.noNetwork)
    // Close to the expiry margin, so that the token expires during the backoff.
    bench.clock.advance(seconds: 2590)
    #expect(try application.acquireTokenSilent(request).refreshError?.code == .networkFailed)
    bench.transport.network = .up
    bench.clock.advance(seconds: 20)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `if a refresh declines scopes, a valid token for all of them is returned`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let application = try bench.application()
    let account = try bench.signIn(application, scopes: ["user.read", "mail.read"]).account
    bench.clock.advance(seconds: 700)
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    var request = SilentRequest(account: account, scopes: ["user.read", "mail.read"])
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .cache && result.declinedScopes.isEmpty)
    #expect(result.refreshError?.code == .serverDeclinedScopes)
    #expect(result.refreshError?.declinedScopes == ["mail.read"])
    // A forced refresh does not fall back.
    request.forcesRefresh = true
    #expect(try application.acquireTokenSilent(request).declinedScopes == ["mail.read"])
    #expect(bench.refreshes == 1)
  }

  @Test func `declined scopes do not remove a token that covers more scopes`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let application = try bench.application()
    let scopes = ["user.read", "mail.read"]
    let signedIn = try bench.signIn(application, scopes: scopes)
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    var request = SilentRequest(account: signedIn.account, scopes: scopes)
    // A refresh that is due, then one after the throttle record has expired.
    for refreshes in 1...2 {
      bench.clock.advance(seconds: 700)
      for _ in 0..<2 {
        let result = try application.acquireTokenSilent(request)
        #expect(result.accessToken == signedIn.accessToken && result.declinedScopes.isEmpty)
      }
      #expect(bench.refreshes == refreshes)
    }
    bench.clock.advance(seconds: 121)
    request.forcesRefresh = true
    #expect(try application.acquireTokenSilent(request).declinedScopes == ["mail.read"])
    #expect(bench.refreshes == 3)
    request.forcesRefresh = false
    #expect(try application.acquireTokenSilent(request).accessToken == signedIn.accessToken)
    #expect(bench.refreshes == 3)
  }

  @Test func `declined scopes of a request for other scopes do not remove a valid token`() throws {
    let application = try bench.application()
    let scopes = ["user.read", "mail.read"]
    let signedIn = try bench.signIn(application, scopes: scopes)
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    let other = SilentRequest(account: signedIn.account, scopes: ["user.read", "files.read"])
    #expect(try application.acquireTokenSilent(other).declinedScopes == ["files.read"])
    let request = SilentRequest(account: signedIn.account, scopes: scopes)
    #expect(try application.acquireTokenSilent(request).accessToken == signedIn.accessToken)
    #expect(bench.refreshes == 1)
  }

  @Test func `while another process refreshes, the valid token is returned at once`() throws {
    let request = try due()
    bench.transport.latencyNanoseconds = 4_000_000_000
    let other = try bench.application()
    let seen = SpinLock<(result: TokenResult, seconds: Int64)?>(nil)
    bench.clock.schedule(after: .seconds(2)) { [clock = bench.clock] in
      let before = clock.now
      let result = try? other.acquireTokenSilent(request)
      seen.withLock { $0 = result.map { ($0, clock.now.seconds(since: before)) } }
    }
    let refreshed = try bench.application().acquireTokenSilent(request)
    #expect(refreshed.source == .network)
    let waited = try #require(seen.withLock { $0 })
    #expect(waited.result.source == .cache)
    #expect(waited.result.refreshError?.code == .storeBusy)
    #expect(waited.seconds == 0)
    #expect(bench.refreshes == 1)
    #expect(try other.acquireTokenSilent(request).accessToken == refreshed.accessToken)
  }

  @Test func `a zero timeout returns the cached token and does not throttle the next refresh`()
    throws
  {
    var request = try due()
    request.timeout = .milliseconds(0)
    let application = try bench.application()
    let result = try application.acquireTokenSilent(request)
    #expect(result.refreshError?.code == .deadlineExceeded)
    request.timeout = nil
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [0, 200, 60_000] as [Int64])
  func `the time limit is proactiveRefreshTimeout`(_ milliseconds: Int64) throws {
    let request = try due()
    bench.transport.latencyNanoseconds = 3_600_000_000_000
    let application = try bench.application {
      $0.proactiveRefreshTimeout = .milliseconds(milliseconds)
    }
    let before = bench.clock.monotonicNanoseconds
    #expect(try application.acquireTokenSilent(request).source == .cache)
    #expect(
      bench.clock.monotonicNanoseconds - before == UInt64(milliseconds) * 1_000_000)
  }

  @Test func `a cancelled call throws cancelled`() throws {
    let request = try due()
    bench.transport.latencyNanoseconds = 4_000_000_000
    let cancellation = Cancellation()
    bench.clock.schedule(after: .seconds(2)) { cancellation.cancel() }
    let application = try bench.application()
    expect(.cancelled) {
      _ = try application.acquireTokenSilent(request, cancellation: cancellation)
    }
  }

  @Test func `without a writable store, the failure is recorded in the process`() throws {
    let request = try due()
    let application = try make(.outage)
    store.fail(with: TesseraError(.fixStorage, .storeUnavailable, "Read-only."))
    for _ in 0..<5 {
      #expect(try application.acquireTokenSilent(request).refreshError != nil)
      bench.clock.advance(seconds: 5)
    }
    #expect(bench.provider.counts.requests == 4 + 1)
    bench.clock.advance(seconds: 3000)
    expect(.serverUnavailable) { _ = try application.acquireTokenSilent(request) }
    expect(.throttled) { _ = try application.acquireTokenSilent(request) }
  }
}
