// SPDX-License-Identifier: MIT
// Brokers that never respond or report a cancellation: timeouts and fallbacks.

import TesseraBroker
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct BrokerTimeTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  @Test func `an unresponsive broker delays a sign-in by at most ten seconds`() throws {
    let application = try bench.application(broker, .prefer)
    broker.stopResponding(by: bench.clock)
    let began = bench.clock.now
    let request = InteractiveRequest(scopes: ["user.read"])
    let result = try application.acquireTokenInteractive(request)
    #expect(result.source == .network)
    #expect(result.brokers.first?.reason == "broker_timeout")
    #expect(bench.clock.now.seconds(since: began) <= 10)
    let strict = try bench.application(broker, .require)
    expect(.brokerUnresponsive) { _ = try strict.acquireTokenInteractive(request) }
    #expect(!broker.calls.map(\.method).contains(.interactive))
  }

  @Test func `the broker shows its window even if it does not support the version call`() throws {
    let application = try bench.application(broker, .require)
    broker.addAccount(try bench.signIn(try bench.application()), at: bench.clock.now)
    broker.setResponse(.version, ["error": "Not implemented"])
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    #expect(result.source == .broker)
    #expect(broker.calls.map(\.method) == [.version, .interactive])
  }

  @Test func `a refresh that is due waits for broker and server within one limit`() throws {
    let (application, request, token) = try due(.prefer)
    broker.stopResponding(by: bench.clock)
    bench.transport.latencyNanoseconds = 60_000_000_000
    let began = bench.clock.monotonicNanoseconds
    let result = try application.acquireTokenSilent(request)
    #expect(result.accessToken == token)
    #expect(result.refreshError?.code == .deadlineExceeded)
    #expect(result.brokers.first?.reason == "broker_timeout")
    let limit = application.configuration.proactiveRefreshTimeout.wholeMilliseconds
    #expect(bench.clock.monotonicNanoseconds - began <= UInt64(limit) * 1_000_000)
  }

  @Test func `a token due for refresh is returned at the deadline`() throws {
    let (application, usual, token) = try due(.require)
    broker.stopResponding(by: bench.clock)
    var request = usual
    request.timeout = .milliseconds(500)
    let result = try application.acquireTokenSilent(request)
    #expect(result.accessToken == token)
    #expect(result.refreshError != nil)
  }

  @Test func `a slow broker gets half of the deadline, unless it is required`() throws {
    let (application, usual) = try expired(.prefer)
    broker.stopResponding(by: bench.clock)
    var request = usual
    request.timeout = .milliseconds(4000)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.brokers.first?.reason == "broker_timeout")
    let strict = try bench.application(broker, .require)
    bench.clock.advance(seconds: 3600)
    expect(.deadlineExceeded) { _ = try strict.acquireTokenSilent(request) }
  }

  @Test func `a cancellation reported by the broker does not cancel the call`() throws {
    let status: JSONValue = ["brokerTokenResponse": ["error": ["status": 8]]]
    let (application, request) = try expired(.prefer)
    broker.setResponse(.silent, status)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.brokers.first?.reason == "cancelled")
    let (strict, dueRequest, token) = try due(.require)
    broker.setResponse(.silent, status)
    #expect(try strict.acquireTokenSilent(dueRequest).accessToken == token)
  }

  @Test func `an unresponsive broker is not used again for some time`() throws {
    let (application, request, token) = try due(.require)
    broker.stopResponding(by: bench.clock)
    for _ in 0..<3 {
      #expect(try application.acquireTokenSilent(request).accessToken == token)
    }
    #expect(broker.calls.count == 1)
    bench.clock.advance(seconds: 30)
    let result = try application.acquireTokenSilent(request)
    #expect(result.brokers.first?.reason == "broker_timeout")
    #expect(broker.calls.count == 2)
    broker.stopResponding(by: nil)
    bench.clock.advance(seconds: 60)
    #expect(try application.acquireTokenSilent(request).source == .broker)
  }

  @Test func `without a token, calls are throttled after a broker timeout`() throws {
    let (application, request) = try expired(.require)
    broker.stopResponding(by: bench.clock)
    expect(.brokerUnresponsive) { _ = try application.acquireTokenSilent(request) }
    let began = bench.clock.monotonicNanoseconds
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.code == .throttled)
    #expect(error?.retryAfterSeconds == 5)
    #expect(bench.clock.monotonicNanoseconds == began)
    #expect(broker.calls.count == 1)
    broker.stopResponding(by: nil)
    bench.clock.advance(seconds: 5)
    #expect(try application.acquireTokenSilent(request).source == .broker)
  }

  @Test func `a cancelled call returns no token and sends no request`() throws {
    let (application, request, _) = try due(.prefer)
    let stop = Cancellation()
    broker.stopResponding(by: bench.clock)
    bench.clock.schedule(after: .seconds(1)) { stop.cancel() }
    expect(.cancelled) { _ = try application.acquireTokenSilent(request, cancellation: stop) }
    #expect(bench.refreshes == 0)
  }

  /// Returns an application with a token due for refresh, and a broker that has the account.
  private func due(
    _ policy: BrokerPolicy
  ) throws -> (PublicClientApplication, SilentRequest, Secret) {
    try bench.provider.perform(.set([.refreshIn(seconds: 60)]))
    let signedIn = try bench.signIn(try bench.application())
    bench.clock.advance(seconds: 120)
    broker.addAccount(signedIn, at: bench.clock.now)
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    return (try bench.application(broker, policy), request, signedIn.accessToken)
  }

  /// Returns an application with an expired token, and a broker that has the account.
  private func expired(
    _ policy: BrokerPolicy
  ) throws -> (PublicClientApplication, SilentRequest) {
    let signedIn = try bench.signIn(try bench.application())
    bench.clock.advance(seconds: 3600)
    broker.addAccount(signedIn, at: bench.clock.now)
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    return (try bench.application(broker, policy), request)
  }
}
