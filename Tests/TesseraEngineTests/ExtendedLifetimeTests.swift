// SPDX-License-Identifier: MIT
// Extended token lifetime: an expired token during an outage, if both application and server allow it.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ExtendedLifetimeTests {
  private let bench: TestBench

  init() throws {
    bench = TestBench()
    try bench.provider.perform(.set([.extendedLifetime(seconds: 86_400)]))
  }

  private func signedIn(
    allows: Bool = true
  ) throws -> (PublicClientApplication, SilentRequest, TokenResult) {
    let application = try bench.application { $0.usesExtendedLifetime = allows }
    let result = try bench.signIn(application)
    return (application, SilentRequest(account: result.account, scopes: ["user.read"]), result)
  }

  @Test func `an expired token is returned during an outage until its extended expiry`() throws {
    let (application, request, first) = try signedIn()
    bench.clock.advance(seconds: 7_200)
    try bench.provider.perform(.outage(requests: nil))
    let token = try application.acquireTokenSilent(request)
    #expect(token.accessToken == first.accessToken)
    #expect(token.hasExtendedLifetime && token.source == .cache)
    #expect(token.refreshError?.code == .serverUnavailable)
    // While the failure is recorded, the token is returned without a request.
    let requests = bench.provider.counts.requests
    #expect(try application.acquireTokenSilent(request).hasExtendedLifetime)
    #expect(bench.provider.counts.requests == requests)
    bench.clock.advance(seconds: 86_400)
    expect(.serverUnavailable) { _ = try application.acquireTokenSilent(request) }
    try bench.provider.perform(.recover)
    bench.clock.advance(seconds: 3_600)
    let fresh = try application.acquireTokenSilent(request)
    #expect(fresh.source == .network && !fresh.hasExtendedLifetime)
  }

  @Test func `without usesExtendedLifetime, an outage is an error`() throws {
    let (application, request, _) = try signedIn(allows: false)
    bench.clock.advance(seconds: 7_200)
    try bench.provider.perform(.outage(requests: nil))
    expect(.serverUnavailable) { _ = try application.acquireTokenSilent(request) }
  }

  @Test func `a network failure, a rejection and a forced refresh return no expired token`() throws
  {
    let (application, request, _) = try signedIn()
    bench.clock.advance(seconds: 7_200)
    bench.transport.network = .down
    expect(.networkFailed) { _ = try application.acquireTokenSilent(request) }
    bench.transport.network = .up
    var forced = request
    forced.forcesRefresh = true
    try bench.provider.perform(.outage(requests: 1))
    expect(.serverUnavailable) { _ = try application.acquireTokenSilent(forced) }
    bench.clock.advance(seconds: 600)
    let body = #"{"error":"invalid_grant","suberror":"bad_token"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    expect(.refreshTokenRejected) { _ = try application.acquireTokenSilent(request) }
  }

  @Test func `explain lists the expired token as a fallback`() throws {
    let (application, request, _) = try signedIn()
    bench.clock.advance(seconds: 7_200)
    let explanation = try application.explain(request)
    #expect(explanation.decision == .refresh)
    let fallback = explanation.candidates.filter { $0.role == .fallback }
    #expect(fallback.map(\.obstacles) == [[.expired]])
  }
}
