// SPDX-License-Identifier: MIT
// Clocks that are set, machines that sleep: the right decision about a cached token, row by row and in the flow.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@Suite struct ClockTests {
  @Test(arguments: TestVector.all(in: "clocks", areas: "clocks"))
  func `the verdict follows`(_ vector: TestVector) throws {
    func number(_ name: String) -> Int64 { vector.input[name]?.integer ?? 0 }
    let clock = VirtualClock()
    var token = CredentialRecord(type: .accessToken, secret: Secret("access"))
    token.cachedAt = clock.now
    token.expiresAt = clock.now.adding(seconds: vector.input["lifetime"]?.integer ?? 3600)
    token.refreshAt = vector.input["refresh_in"]?.integer.map { clock.now.adding(seconds: $0) }
    if vector.input["foreign"] != .bool(true) { token.receivedMoment = clock.moment }
    clock.advance(seconds: number("age") + number("slept"))
    clock.shiftWallClock(seconds: number("step") + min(number("age"), 0))
    if vector.input["restarted"] == .bool(true) { clock.restart() }
    let times = TokenExpiry(
      token, at: Clocks(now: clock.now, moment: clock.moment), marginSeconds: 300)
    let outcome =
      switch times.verdict {
      case .over: "refresh"
      case .usable where !times.isDue: "use \(times.secondsLeft)"
      case .usable, .doubtful: "refresh or use \(times.secondsLeft)"
      }
    #expect(.string(outcome) == vector.expected)
  }

  private let bench = TestBench()

  private func signIn(lifetime: Int64 = 3600) throws -> SilentRequest {
    try bench.provider.perform(.set([.accessTokenLifetime(seconds: lifetime)]))
    let account = try bench.signIn(try bench.application()).account
    return SilentRequest(account: account, scopes: ["user.read"])
  }

  /// Whether a program that has the token in memory, and a new one, both get it from the cache.
  private func isCached(
    _ application: PublicClientApplication, _ request: SilentRequest
  ) throws -> [Bool] {
    bench.transport.network = .down
    defer { bench.transport.network = .up }
    return [application, try bench.application()].map { application in
      (try? application.acquireTokenSilent(request))?.source == .cache
    }
  }

  @Test(arguments: [-86_400, -3600, 3600, 86_400] as [Int64], [120, 3600] as [Int64])
  func `a step of the clock neither kills a token nor revives it`(
    _ step: Int64, _ lifetime: Int64
  ) throws {
    let request = try signIn(lifetime: lifetime)
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    bench.clock.shiftWallClock(seconds: step)
    #expect(try isCached(application, request) == [true, true])
    bench.clock.advance(seconds: lifetime - 1)
    #expect(try isCached(application, request) == [false, false])
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(try isCached(application, request) == [true, true])
  }

  @Test func `a machine that slept asks for a new token`() throws {
    let request = try signIn()
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    bench.clock.advance(seconds: 86_400)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a virtual machine that was paused asks for a new token if it can`() throws {
    let request = try signIn()
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    // All clocks stood still; then somebody set the wall clock right.
    bench.clock.shiftWallClock(seconds: 86_400)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a day of difference to the server is no obstacle to signing in`() throws {
    for step in [-86_400, 86_400] as [Int64] {
      let machine = LocalMachine(
        origin: bench.provider.origin, clock: VirtualClock(), store: bench.store)
      machine.clock.shiftWallClock(
        seconds: step + bench.clock.now.seconds(since: machine.clock.now))
      let transport = DatedTransport(network: bench.transport, clock: bench.clock)
      let application = try bench.application(
        client: "client \(step)", transport: transport, time: machine.clock)
      let result = try bench.signIn(application)
      #expect(result.expiresAt.seconds(since: machine.clock.now) == 3600)
      let request = SilentRequest(account: result.account, scopes: ["user.read"])
      #expect(try application.acquireTokenSilent(request).source == .cache)
    }
  }
}

/// A network on which every answer says what time it is at the server.
private struct DatedTransport: Transport {
  let network: LocalTransport
  let clock: VirtualClock

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    var response = try network.send(request, within: limits)
    // The virtual clock begins with 2027.
    let second = clock.now.secondsSince1970 - 1_798_761_600
    let time = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    response.headers.append(
      HTTPHeader("Date", "Fri, 01 Jan 2027 \(time.joined(separator: ":")) GMT"))
    return response
  }
}
