// SPDX-License-Identifier: MIT
// Responses to single-use credentials that have begun at the deadline or cancellation: they are stored.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LateResponseTests {
  /// A network on which the rest of each response arrives some seconds after its beginning.
  private struct SlowNetwork: Transport {
    let network: LocalTransport
    let time: VirtualClock
    let seconds: UInt64

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      let response = try network.send(request, within: limits)
      let limits = request.spendsCredential ? CallLimits.none : limits
      try time.wait(nanoseconds: seconds * 1_000_000_000, within: limits)
      return response
    }
  }

  private let bench = TestBench()

  /// Returns an application on a slow network.
  private func application(
    issuer: String?, seconds: UInt64
  ) throws -> PublicClientApplication {
    try bench.application(
      issuer: issuer,
      transport: SlowNetwork(network: bench.transport, time: bench.clock, seconds: seconds))
  }

  private func request(_ account: Account, forces: Bool = true) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = forces
    return request
  }

  @Test(arguments: [true, false])
  func `a refresh returns a response that has begun at its limits`(_ isCancelled: Bool) throws {
    let account = try bench.signIn(bench.application(issuer: "main")).account
    let cancellation = Cancellation()
    var late = request(account)
    if isCancelled {
      bench.clock.schedule(after: .seconds(1)) { cancellation.cancel() }
    } else {
      late.timeout = .seconds(1)
    }
    let slow = try application(issuer: "main", seconds: 2)
    let result = try slow.acquireTokenSilent(late, cancellation: cancellation)
    #expect(result.source == .network && result.isPersisted)
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(request(account)).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a proactive refresh returns a response that has begun at its limit`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 600)]))
    let account = try bench.signIn(bench.application()).account
    bench.clock.advance(seconds: 700)
    let slow = try application(issuer: nil, seconds: 6)
    let result = try slow.acquireTokenSilent(request(account, forces: false))
    #expect(result.source == .network && result.isPersisted && result.refreshError == nil)
    let other = try bench.application()
    #expect(try other.acquireTokenSilent(request(account)).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `requests with a device code or a refresh token must not lose their response`() throws
  {
    let application = try bench.application(issuer: "main")
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(request(account))
    let grants = bench.transport.requests.filter(\.spendsCredential).map { request in
      FormFields(decoding: String(decoding: request.body, as: UTF8.self))["grant_type"]
    }
    let deviceCode = TokenRequest.Grant.deviceCode(Secret("code")).name
    #expect(Set(grants) == [deviceCode, "refresh_token"])
    #expect(bench.transport.requests.contains { !$0.spendsCredential })
  }
}
