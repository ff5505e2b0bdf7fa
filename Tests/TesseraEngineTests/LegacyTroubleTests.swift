// SPDX-License-Identifier: MIT
// Trouble at the moment of an upgrade: nothing is lost, nobody is asked to sign in, and no server is pressed.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacyTroubleTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  /// Gives up as a caller without patience does.
  private struct Late: Transport {
    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      throw TesseraError(.cancelled, .deadlineExceeded, "The time is over.")
    }
  }

  @Test func `without a network the caller tries later, and what ADAL left stays good`() throws {
    try bench.take(bench.left())
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

  @Test func `a server in trouble is left alone for as long as it asks, by every process`() throws {
    try bench.take(bench.left(), bench.left(.bob))
    // Its documents are known.
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
    // Bob is somebody else, although neither had an identifier.
    #expect(try bench.application().acquireTokenSilent(other).source == .cache)
    expect(.throttled) { _ = try bench.application().acquireTokenSilent(request) }
    #expect(bench.transport.requests.count == requests)
    bench.clock.advance(seconds: 61)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `an outage is over when it is over`() throws {
    try bench.take(bench.left())
    try bench.provider.perform(.outage(requests: nil))
    expect(.serverUnavailable) { _ = try bench.application().acquireTokenSilent(request) }
    try bench.provider.perform(.recover)
    bench.clock.advance(seconds: 10)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: ["<html>a proxy</html>", #"{"error":"server_error"}"#, "{}", ""])
  func `an answer that is none costs nobody the sign-in`(_ body: String) throws {
    try bench.take(bench.left())
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

  @Test func `what only the person can do says so, and costs nobody the sign-in`() throws {
    try bench.take(bench.left())
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

  @Test func `who has no time keeps the sign-in`() throws {
    try bench.take(bench.left())
    expect(.deadlineExceeded) {
      _ = try bench.application(transport: Late()).acquireTokenSilent(request)
    }
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test func `an answer that gets lost is asked for again where the server allows it`() throws {
    try bench.provider.perform(.set([.rotation(false)]))
    try bench.take(bench.left())
    let application = try bench.application()
    bench.transport.network = .losingResponses
    expect(.networkFailed) { _ = try application.acquireTokenSilent(request) }
    bench.transport.network = .up
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [-400_000_000, -86400, 86400, 400_000_000])
  func `a clock that is wrong costs nobody the sign-in`(_ seconds: Int64) throws {
    try bench.take(bench.left())
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
