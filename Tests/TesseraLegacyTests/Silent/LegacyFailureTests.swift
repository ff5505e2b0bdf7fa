// SPDX-License-Identifier: MIT
// Failures during the first redemption of a legacy token: no token is lost, and servers are not overloaded.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacyFailureTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  /// A transport that fails with an exceeded deadline.
  private struct DeadlineExceeded: Transport {
    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      throw TesseraError(.cancelled, .deadlineExceeded, "The time is over.")
    }
  }

  @Test func `after a network failure, the legacy token is redeemed later`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    bench.transport.network = .down
    for _ in 0..<2 {
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(request)
      }
      #expect(error?.remedy == .retryLater && error?.code == .networkFailed)
    }
    #expect(try application.accounts().count == 1)
    bench.transport.network = .up
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.refreshes == 1)
  }

  @Test func `Retry-After is honoured by every process`() throws {
    try bench.importItems(bench.legacyItem(), bench.legacyItem(.bob))
    // The discovery documents are cached.
    var other = request
    other.username = LocalUser.bob.username
    _ = try bench.application().acquireTokenSilent(other)
    try bench.provider.perform(.throttle(requests: 100, retryAfterSeconds: 60))
    for _ in 0..<3 {
      let error = #expect(throws: TesseraError.self) {
        try bench.application().acquireTokenSilent(request)
      }
      #expect(error?.remedy == .retryLater && error?.retryAfterSeconds == 60)
    }
    #expect(try bench.application().explain(request).decision == .pause)
    let requests = bench.transport.requests.count
    try bench.provider.perform(.recover)
    // Bob is a different user, although neither had an account ID.
    #expect(try bench.application().acquireTokenSilent(other).source == .cache)
    expect(.throttled) { _ = try bench.application().acquireTokenSilent(request) }
    #expect(bench.transport.requests.count == requests)
    bench.clock.advance(seconds: 61)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `after an outage, the token is redeemed ten seconds later`() throws {
    try bench.importItems(bench.legacyItem())
    try bench.provider.perform(.outage(requests: nil))
    expect(.serverUnavailable) { _ = try bench.application().acquireTokenSilent(request) }
    try bench.provider.perform(.recover)
    bench.clock.advance(seconds: 10)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: ["<html>a proxy</html>", #"{"error":"server_error"}"#, "{}", ""])
  func `an invalid response does not lose the token`(_ body: String) throws {
    try bench.importItems(bench.legacyItem())
    for status in [200, 502] {
      try bench.provider.perform(.failTokenRequests(requests: 1, status: status, body: body))
      let error = #expect(throws: TesseraError.self) {
        try bench.application().acquireTokenSilent(request)
      }
      #expect(error?.remedy != .signIn, "\(status): \(String(describing: error))")
      bench.clock.advance(seconds: 3601)
    }
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `interaction_required reports its claims and does not lose the token`() throws {
    try bench.importItems(bench.legacyItem())
    try bench.provider.perform(
      .failTokenRequests(
        requests: 1, status: 400, body: #"{"error":"interaction_required","claims":"{}"}"#))
    let error = #expect(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(error?.remedy == .signIn && error?.claims == "{}")
    #expect(try bench.application().accounts().count == 1)
    bench.clock.advance(seconds: 3601)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `a call that exceeds its deadline does not lose the token`() throws {
    try bench.importItems(bench.legacyItem())
    expect(.deadlineExceeded) {
      _ = try bench.application(transport: DeadlineExceeded()).acquireTokenSilent(request)
    }
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `after a lost response, the token is redeemed again`() throws {
    try bench.provider.perform(.set([.rotation(false)]))
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    bench.transport.network = .losingResponses
    expect(.networkFailed) { _ = try application.acquireTokenSilent(request) }
    bench.transport.network = .up
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [-400_000_000, -86400, 86400, 400_000_000])
  func `a wrong wall clock does not prevent the redemption`(_ seconds: Int64) throws {
    try bench.importItems(bench.legacyItem())
    bench.clock.shiftWallClock(seconds: seconds)
    let result = try bench.application().acquireTokenSilent(request)
    #expect(result.source == .network)
    bench.clock.shiftWallClock(seconds: -seconds)
    #expect(
      try bench.application().acquireTokenSilent(
        SilentRequest(account: result.account, scopes: ["user.read"])
      ).account == result.account)
  }
}
