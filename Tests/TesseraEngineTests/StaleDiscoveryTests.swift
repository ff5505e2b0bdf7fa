// SPDX-License-Identifier: MIT
// Discovery documents older than a day: refreshed by the next call, and used while the server is unavailable.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct StaleDiscoveryTests {
  /// The results of discovery requests.
  enum DiscoveryFailure: String, CaseIterable, Sendable {
    case unreachable, outage, silence, signInPage, notFound, otherIssuer
  }

  /// A transport with failing discovery requests.
  private final class FailingDiscovery: Transport {
    private let network: LocalTransport
    private let clock: VirtualClock
    private let fate: DiscoveryFailure
    private let counter = SpinLock(0)

    init(_ bench: TestBench, _ fate: DiscoveryFailure) {
      network = bench.transport
      clock = bench.clock
      self.fate = fate
    }

    /// The number of discovery requests.
    var discoveryCount: Int { counter.withLock { $0 } }

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

  /// Returns a request for an account with an expired token and a stale discovery document.
  private func old(_ issuer: String? = nil) throws -> SilentRequest {
    let account = try bench.signIn(try bench.application(issuer: issuer)).account
    bench.clock.advance(seconds: 86_401)
    return SilentRequest(account: account, scopes: ["user.read"])
  }

  @Test(arguments: [DiscoveryFailure.unreachable, .outage, .silence, .signInPage])
  func `a stale document is used with a warning, and refreshed after five minutes`(
    _ fate: DiscoveryFailure
  ) throws {
    var request = try old()
    let network = FailingDiscovery(bench, fate)
    let application = try bench.application(transport: network)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.isPersisted)
    #expect(result.warnings.contains { $0.contains("older than one day") })
    request.forcesRefresh = true
    bench.clock.advance(seconds: 200)
    let discoveryCount = network.discoveryCount
    #expect(try application.acquireTokenSilent(request).warnings.count == 1)
    #expect(network.discoveryCount == discoveryCount)
    bench.clock.advance(seconds: 100)
    _ = try application.acquireTokenSilent(request)
    #expect(network.discoveryCount > discoveryCount)
  }

  @Test(arguments: [DiscoveryFailure.notFound, .otherIssuer])
  func `a definite error for the document fails the call`(_ fate: DiscoveryFailure) throws {
    let request = try old("main")
    let application = try bench.application(
      issuer: "main", transport: FailingDiscovery(bench, fate))
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(request)
    }
    #expect(error?.remedy == .fixConfiguration)
    #expect(bench.refreshes == 0)
  }

  @Test func `refreshing a stale document takes half of the remaining time`() throws {
    var request = try old()
    request.timeout = .milliseconds(8_000)
    let before = bench.clock.monotonicNanoseconds
    let application = try bench.application(transport: FailingDiscovery(bench, .silence))
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.clock.monotonicNanoseconds - before == 4_000_000_000)
  }

  @Test func `one process refreshes the document for all`() throws {
    let request = try old()
    let others = [try bench.application(), try bench.application()]
    let before = bench.provider.counts.discoveryRequests
    #expect(try bench.application().acquireTokenSilent(request).warnings.isEmpty)
    let discoveryCount = bench.provider.counts.discoveryRequests
    #expect(discoveryCount > before)
    var forced = request
    forced.forcesRefresh = true
    for other in others { #expect(try other.acquireTokenSilent(forced).source == .network) }
    #expect(bench.provider.counts.discoveryRequests == discoveryCount)
  }

  @Test func `a newer document of another process is used`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 86_401)
    try bench.signIn(try bench.application(), as: .bob)
    let discoveryCount = bench.provider.counts.discoveryRequests
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.provider.counts.discoveryRequests == discoveryCount)
  }
}
