// SPDX-License-Identifier: MIT
// Metrics: exact numbers of calls, requests, waits and cache hits, by closed tags.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct MetricsTests {
  private let clock = VirtualClock()
  private let store: WatchedStore
  private let bench: TestBench

  init() {
    store = WatchedStore(MemoryStore(time: clock))
    bench = TestBench(clock: clock, store: store)
  }

  private func request(_ account: Account, forces: Bool = false) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = forces
    return request
  }

  @Test func `calls are counted by function and source`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    for _ in 0..<4 { _ = try application.acquireTokenSilent(request(account)) }
    _ = try application.acquireTokenSilent(request(account, forces: true))
    _ = try application.signOut(SignOutRequest(account: account))
    #expect(
      application.metrics().counts(.callsSucceeded) == [
        "acquire_token_by_device_code network": 1, "acquire_token_silent store": 1,
        "acquire_token_silent memory": 3, "acquire_token_silent refresh": 1, "sign_out": 1,
      ])
    #expect(application.metrics().counts(.callsFailed) == [:])
  }

  @Test func `failed calls are counted by error code, throttled ones as well`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    clock.advance(seconds: 4000)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    for _ in 0..<3 {
      expect(.throttled) { _ = try application.acquireTokenSilent(request(account)) }
    }
    expect(.invalidMember) {
      var invalid = request(account)
      invalid.scopes = ["a b"]
      _ = try application.acquireTokenSilent(invalid)
    }
    let metrics = application.metrics()
    #expect(
      metrics.counts(.callsFailed) == [
        "throttled acquire_token_silent": 3, "invalid_member acquire_token_silent": 1,
      ])
    #expect(metrics.counts(.callsThrottled) == ["acquire_token_silent": 2])
    #expect(metrics.histogram(.httpDuration, "429")?.count == 1)
  }

  @Test func `a valid token is counted as throttled and as succeeded`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let application = try bench.application()
    let account = try bench.signIn(application).account
    clock.advance(seconds: 700)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    for _ in 0..<2 {
      _ = try bench.application().acquireTokenSilent(request(account))
    }
    let other = try bench.application()
    #expect(try other.acquireTokenSilent(request(account)).refreshError != nil)
    #expect(other.metrics().counts(.callsThrottled) == ["acquire_token_silent": 1])
    #expect(other.metrics().counts(.callsSucceeded)["acquire_token_silent store"] == 1)
  }

  @Test func `durations and lifetimes are those of the clock`() throws {
    let transport = WatchedTransport(network: bench.transport) { [clock] _ in
      clock.advance(seconds: 2)
    }
    let application = try bench.application(transport: transport)
    let account = try bench.signIn(application).account
    clock.advance(seconds: 1000)
    _ = try application.acquireTokenSilent(request(account))
    let metrics = application.metrics()
    let duration = try #require(
      metrics.histogram(.callDuration, "acquire_token_by_device_code success"))
    // The device authorization, the poll after five seconds, and the token request.
    #expect(duration.count == 1)
    #expect(duration.sum >= 4_000_000)
    #expect(duration.unit == .microseconds)
    let requests = try #require(metrics.histogram(.httpDuration, "200"))
    #expect(requests.sum == 4_000_000)
    #expect(requests.bounds.count + 1 == requests.counts.count)
    #expect(requests.counts.reduce(0, +) == requests.count)
    let bucket = try #require(requests.bounds.firstIndex(of: 2_500_000))
    #expect(requests.counts[bucket] == 2)
    let lifetime = try #require(metrics.histogram(.tokenLifetime, "store"))
    #expect((2590...2600).contains(lifetime.sum))
    #expect(lifetime.unit == .seconds)
  }

  @Test func `a refresh of another process saves a request`() throws {
    let one = try bench.application()
    let other = try bench.application()
    let account = try bench.signIn(one).account
    clock.advance(seconds: 4000)
    store.beforeNextLock { [self] in _ = try? other.acquireTokenSilent(request(account)) }
    _ = try one.acquireTokenSilent(request(account))
    #expect(one.metrics().counts(.refreshesAdopted) == ["": 1])
    #expect(other.metrics().counts(.refreshesAdopted) == ["": 0])
    #expect(one.metrics().histogram(.lockWait, "acquired")?.count == 1)
    #expect(one.metrics().counts(.callsSucceeded)["acquire_token_silent store"] == 1)
  }

  @Test func `a token of an account that signed out meanwhile is superseded`() throws {
    let account = try bench.signIn(try bench.application()).account
    let other = try bench.application()
    clock.advance(seconds: 4000)
    let transport = WatchedTransport(network: bench.transport) { _ in
      _ = try? other.removeAccount(account)
    }
    let application = try bench.application(transport: transport)
    let result = try application.acquireTokenSilent(request(account))
    #expect(!result.isPersisted)
    #expect(application.metrics().counts(.commitsSuperseded) == ["": 1])
    #expect(other.metrics().counts(.callsSucceeded)["remove_account"] == 1)
  }

  @Test func `a change that cannot be written is queued`() throws {
    let account = try bench.signIn(try bench.application()).account
    clock.advance(seconds: 4000)
    let full = FailingStore(store) { call throws(TesseraError) in
      if call == .commit { throw TesseraError(.fixStorage, .storeFull, "There is no room.") }
    }
    let application = try bench.application(store: full)
    _ = try application.acquireTokenSilent(request(account))
    #expect(application.metrics().counts(.commitsQueued) == ["": 1])
    #expect(application.metrics().histogram(.storeDuration, "write")?.count ?? 0 >= 1)
    #expect(application.metrics().histogram(.storeDuration, "read")?.count ?? 0 >= 1)
  }

  @Test(arguments: [(700, "busy"), (4000, "timeout")])
  func `a wait for a lock without success is counted`(
    _ seconds: Int64, _ outcome: String
  ) throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let account = try bench.signIn(try bench.application()).account
    clock.advance(seconds: seconds)
    let application = try bench.application(store: LockedStore(store: store))
    _ = try? application.acquireTokenSilent(request(account))
    #expect(application.metrics().histogram(.lockWait, outcome)?.count == 1)
  }

  @Test func `a call without time is counted only if it returns a token`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    clock.advance(seconds: 4000)
    var probe = request(account)
    probe.timeout = .zero
    expect(.deadlineExceeded) { _ = try application.acquireTokenSilent(probe) }
    #expect(application.metrics().counts(.callsFailed) == [:])
    probe.timeout = .seconds(5)
    _ = try application.acquireTokenSilent(probe)
    #expect(application.metrics().counts(.callsSucceeded)["acquire_token_silent refresh"] == 1)
    probe.timeout = .zero
    _ = try application.acquireTokenSilent(probe)
    #expect(application.metrics().counts(.callsSucceeded)["acquire_token_silent store"] == 1)
  }

  @Test func `an observer receives every change except repeated cache hits`() throws {
    let observer = Observer()
    let application = try bench.application { $0.host.observer = observer }
    let account = try bench.signIn(application).account
    for _ in 0..<3 { _ = try application.acquireTokenSilent(request(account)) }
    clock.advance(seconds: 4000)
    try bench.provider.perform(.outage(requests: 1))
    _ = try? application.acquireTokenSilent(request(account))
    let metrics = application.metrics()
    var sums: [MetricObservation: Int64] = [:]
    for seen in observer.observations {
      sums[MetricObservation(name: seen.name, value: 0, tags: seen.tags), default: 0] += seen.value
    }
    for counter in metrics.counters where counter.tags["source"] != "memory" {
      let series = MetricObservation(name: counter.name, value: 0, tags: counter.tags)
      #expect(sums[series] ?? 0 == counter.value)
    }
    for histogram in metrics.histograms {
      let series = MetricObservation(name: histogram.name, value: 0, tags: histogram.tags)
      #expect(sums[series] == histogram.sum)
    }
    #expect(metrics.counts(.callsSucceeded)["acquire_token_silent memory"] == 2)
  }

  @Test func `the response cache has a present size`() throws {
    let application = try bench.application()
    #expect(application.metrics().gauges.map(\.value) == [0, 0])
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(request(account))
    let gauges = application.metrics().gauges
    #expect(gauges.first { $0.name == .cachedResponses }?.value == 1)
    #expect(gauges.first { $0.name == .cachedResponseBytes }?.value ?? 0 > 1000)
  }

  @Test func `tags, values of an observer and log lines contain no identifiers`() throws {
    let lines = Mutex<[String]>([])
    let observer = Observer()
    var dependencies = bench.dependencies
    dependencies.log = TesseraLog(level: .detail) { _, line in lines.withLock { $0.append(line) } }
    var configuration = ApplicationConfiguration(clientID: "canary-client")
    configuration.authority = bench.provider.entraAuthority("common")
    configuration.authorityType = .entra
    configuration.host.observer = observer
    let application = try PublicClientApplication(configuration, in: dependencies)
    let account = try bench.signIn(application).account
    var traced = request(account, forces: true)
    traced.traceparent = Trace.parent
    traced.tracestate = "canary=state"
    _ = try application.acquireTokenSilent(traced)
    try bench.provider.perform(.revokeRefreshTokens(username: LocalUser.alice.username))
    #expect(throws: TesseraError.self) {
      _ = try application.acquireTokenSilent(request(account, forces: true))
    }
    _ = try application.removeAccount(account)
    let texts = observer.observations.map(\.tagsDocument) + [application.metrics().jsonDocument]
    let canaries =
      Array(bench.transport.secrets)
      + [account.homeAccountID, account.username ?? "?", LocalUser.alice.username]
      + account.homeAccountID.split(separator: ".").map(String.init)
      + account.tenantProfiles.map(\.tenantID)
      + ["canary-client", "0af7651916cd43dd8448eb211c80319c", "canary=state"]
    for canary in canaries {
      #expect(!texts.contains { $0.contains(canary) })
      #expect(!lines.withLock { $0 }.contains { $0.contains(canary) })
    }
    let allowed = ["function", "source", "error_code", "operation", "outcome", "status"]
    for tags in observer.observations.map(\.tags) {
      #expect(Set(tags.keys).isSubset(of: allowed))
    }
  }
}

@Suite struct TraceContextTests {
  private let bench = TestBench()

  @Test(arguments: [nil, "main"])
  func `the trace context is sent in every request of the call`(_ issuer: String?) throws {
    let application = try bench.application(issuer: issuer)
    var deviceCode = DeviceCodeRequest(scopes: ["user.read"])
    (deviceCode.traceparent, deviceCode.tracestate) = (Trace.parent, "vendor=value, other@b=c")
    let account = try application.acquireTokenByDeviceCode(deviceCode) { prompt in
      try? bench.provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }.account
    let sent = bench.transport.requests
    #expect(sent.count >= 3)
    for request in sent {
      #expect(request.headers["traceparent"] == Trace.parent)
      #expect(request.headers["tracestate"] == "vendor=value, other@b=c")
    }
    var silent = SilentRequest(account: account, scopes: ["user.read"])
    silent.forcesRefresh = true
    _ = try application.acquireTokenSilent(silent)
    #expect(bench.transport.requests.last?.headers["traceparent"] == nil)
    silent.traceparent = Trace.parent
    _ = try application.acquireTokenSilent(silent)
    #expect(bench.transport.requests.last?.headers["traceparent"] == Trace.parent)
    #expect(bench.transport.requests.last?.headers["tracestate"] == nil)
  }

  @Test(arguments: [
    "", "00", Trace.parent + "-00", Trace.parent.uppercased(), " " + Trace.parent,
    "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333g-01",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX: y",
  ])
  func `an invalid traceparent is rejected`(_ text: String) {
    #expect(TraceContext(parent: text, state: nil) == nil)
  }

  @Test(arguments: [
    ("a=1", true), ("a=1,b=2", true), ("tenant@system=value with spaces", true), ("", true),
    ("a", false), ("=1", false), ("a=1=2", false), ("a=1\r\nX: y", false), ("a=ü", false),
    (String(repeating: "a=1,", count: 32), true), (String(repeating: "a=1,", count: 33), false),
    ("a=" + String(repeating: "1", count: 511), false),
  ])
  func `tracestate is a list of entries`(_ text: String, _ isValid: Bool) {
    #expect((TraceContext(parent: Trace.parent, state: text) != nil) == isValid)
  }

  @Test func `every request with an invalid trace context is rejected`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let before = bench.transport.requests.count
    var silent = SilentRequest(account: account, scopes: ["mail.read"])
    silent.traceparent = "00-1-2-3"
    expect(.invalidMember) { _ = try application.acquireTokenSilent(silent) }
    (silent.traceparent, silent.tracestate) = (nil, "a=1")
    expect(.invalidMember) { _ = try application.acquireTokenSilent(silent) }
    var options = AuthorizationOptions(scopes: ["user.read"])
    options.traceparent = "00-1-2-3"
    expect(.invalidMember) { _ = try application.beginSignIn(SignInRequest(options)) }
    expect(.invalidMember) {
      _ = try application.acquireTokenInteractive(InteractiveRequest(options))
    }
    var deviceCode = DeviceCodeRequest(scopes: ["user.read"])
    deviceCode.traceparent = "00-1-2-3"
    expect(.invalidMember) { _ = try application.acquireTokenByDeviceCode(deviceCode) { _ in } }
    var signOut = SignOutRequest(account: account)
    signOut.traceparent = "00-1-2-3"
    expect(.invalidMember) { _ = try application.signOut(signOut) }
    #expect(bench.transport.requests.count == before)
  }
}

/// The trace context of the examples in W3C Trace Context.
private enum Trace {
  static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
}

/// An observer that records all changes.
private final class Observer: MetricsObserver {
  private let seen = Mutex<[MetricObservation]>([])

  var observations: [MetricObservation] { seen.withLock { $0 } }

  func observe(_ observation: MetricObservation) {
    seen.withLock { $0.append(observation) }
  }
}

/// A store in which another process holds every lock.
private struct LockedStore: WrappingStore {
  let store: any CredentialStore

  func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    throw TesseraError(.retryLater, .storeBusy, "Another process holds the lock.")
  }
}

extension MetricsSnapshot {
  /// Returns the values of a counter by the values of their tags, in the order of the names of the tags.
  fileprivate func counts(_ name: Metric) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for counter in counters where counter.name == name { counts[counter.tags.text] = counter.value }
    return counts.filter { name != .callsSucceeded || $0.value > 0 }
  }

  /// Returns the histogram with the values of tags.
  fileprivate func histogram(_ name: Metric, _ tags: String) -> MetricHistogram? {
    histograms.first { $0.name == name && $0.tags.text == tags }
  }
}

extension [String: String] {
  fileprivate var text: String {
    sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")
  }
}
