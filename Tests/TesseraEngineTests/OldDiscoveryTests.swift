// SPDX-License-Identifier: MIT
// Discovery that is older than a day: asked for again by whoever needs it first, and good enough while nobody answers.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct OldDiscoveryTests {
  /// What becomes of requests for discovery documents.
  enum Fate: String, CaseIterable, Sendable {
    case unreachable, outage, silence, signInPage, notFound, otherIssuer
  }

  /// A network on which tokens are to be had, but no discovery.
  private final class Troubled: Transport {
    private let network: LocalTransport
    private let clock: VirtualClock
    private let fate: Fate
    private let counter = SpinLock(0)

    init(_ bench: TestBench, _ fate: Fate) {
      network = bench.transport
      clock = bench.clock
      self.fate = fate
    }

    /// How often somebody asked for discovery.
    var asked: Int { counter.withLock { $0 } }

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      guard request.method == "GET" else { return try network.send(request, within: limits) }
      counter.withLock { $0 += 1 }
      switch fate {
      case .unreachable: throw TesseraError(.retryLater, .networkFailed, "No route.")
      case .outage: return .json(["error": "server_error"], status: 503)
      case .silence:
        try clock.wait(nanoseconds: 3_600_000_000_000, within: limits)
        throw TesseraError(.retryLater, .networkFailed, "Silence.")
      case .signInPage: return HTTPResponse(status: 200, headers: [], body: Array("<html>".utf8))
      case .notFound: return .json(["error": "invalid_tenant"], status: 400)
      case .otherIssuer:
        return .json(["issuer": "https://evil.example", "token_endpoint": "https://evil.example"])
      }
    }
  }

  private let bench = TestBench()

  /// A person whose token and whose discovery are too old.
  private func old(_ issuer: String? = nil) throws -> SilentRequest {
    let account = try bench.signIn(try bench.application(issuer: issuer)).account
    bench.clock.advance(seconds: 86_401)
    return SilentRequest(account: account, scopes: ["user.read"])
  }

  @Test(arguments: [Fate.unreachable, .outage, .silence, .signInPage])
  func `what is old is used on, with a warning, and not asked for again soon`(
    _ fate: Fate
  ) throws {
    var request = try old()
    let network = Troubled(bench, fate)
    let application = try bench.application(transport: network)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.isPersisted)
    #expect(result.warnings.contains { $0.contains("older than a day") })
    request.forcesRefresh = true
    bench.clock.advance(seconds: 200)
    let asked = network.asked
    #expect(try application.acquireTokenSilent(request).warnings.count == 1)
    #expect(network.asked == asked)
    bench.clock.advance(seconds: 100)
    _ = try application.acquireTokenSilent(request)
    #expect(network.asked > asked)
  }

  @Test(arguments: [Fate.notFound, .otherIssuer])
  func `an answer that says no is believed`(_ fate: Fate) throws {
    let request = try old("main")
    let application = try bench.application(issuer: "main", transport: Troubled(bench, fate))
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(request)
    }
    #expect(error?.remedy == .fixConfiguration)
    #expect(bench.refreshes == 0)
  }

  @Test func `asking again takes half of the time that is left`() throws {
    var request = try old()
    request.timeoutMilliseconds = 8_000
    let before = bench.clock.monotonicNanoseconds
    let application = try bench.application(transport: Troubled(bench, .silence))
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.clock.monotonicNanoseconds - before == 4_000_000_000)
  }

  @Test func `one process asks again for all of them`() throws {
    let request = try old()
    let others = [try bench.application(), try bench.application()]
    let before = bench.provider.counts.discoveryRequests
    #expect(try bench.application().acquireTokenSilent(request).warnings.isEmpty)
    let asked = bench.provider.counts.discoveryRequests
    #expect(asked > before)
    var forced = request
    forced.forcesRefresh = true
    for other in others { #expect(try other.acquireTokenSilent(forced).source == .network) }
    #expect(bench.provider.counts.discoveryRequests == asked)
  }

  @Test func `a process with old discovery takes the newer one of another process`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 86_401)
    try bench.signIn(try bench.application(), as: .bob)
    let asked = bench.provider.counts.discoveryRequests
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.provider.counts.discoveryRequests == asked)
  }
}
