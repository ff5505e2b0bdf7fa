// SPDX-License-Identifier: MIT
// Changed clocks and suspended machines: the validity of a cached token, in a table and in the silent flow.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct ClockTests {
  @Test(arguments: TestVector.all(in: "clocks", areas: "clocks"))
  func `the verdict and its duration match the vector`(_ vector: TestVector) throws {
    func number(_ name: String) -> Int64 { vector.input[name]?.integer ?? 0 }
    let clock = VirtualClock()
    var token = CredentialRecord(type: .accessToken, secret: Secret("access"))
    token.cachedAt = clock.now
    token.expiresAt = clock.now.adding(seconds: vector.input["lifetime"]?.integer ?? 3600)
    token.refreshAt = vector.input["refresh_in"]?.integer.map { clock.now.adding(seconds: $0) }
    if vector.input["foreign"] != .bool(true) { token.receivedBootTime = clock.bootTime }
    clock.advance(seconds: number("age") + number("slept"))
    clock.shiftWallClock(seconds: number("step") + min(number("age"), 0))
    if vector.input["restarted"] == .bool(true) { clock.restart() }
    let times = TokenExpiry(
      token, at: Clocks(now: clock.now, bootTime: clock.bootTime), marginSeconds: 300)
    let outcome =
      switch times.verdict {
      case .expired: "refresh"
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

  /// Returns whether an application with a cached response and a new one both return the cached token.
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
  func `a change of the wall clock neither expires a token nor extends it`(
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

  @Test func `after a suspend beyond the expiry, a new token is requested`() throws {
    let request = try signIn()
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    bench.clock.advance(seconds: 86_400)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `after a virtual machine was paused, a new token is requested`() throws {
    let request = try signIn()
    let application = try bench.application()
    #expect(try application.acquireTokenSilent(request).source == .cache)
    // All clocks stopped. Then the wall clock was corrected.
    bench.clock.shiftWallClock(seconds: 86_400)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }

  @Test func `a client clock that is a day off does not prevent a sign-in`() throws {
    for step in [-86_400, 86_400] as [Int64] {
      let machine = LocalMachine(
        origin: bench.provider.origin, clock: VirtualClock(), store: bench.store)
      machine.clock.shiftWallClock(
        seconds: step + bench.clock.now.seconds(since: machine.clock.now))
      let transport = DatedTransport(network: bench.transport, clock: bench.clock)
      let application = try bench.application(
        client: "client \(step)", transport: transport, time: machine.clock)
      let result = try bench.signIn(application)
      #expect(result.expiresOn.seconds(since: machine.clock.now) == 3600)
      let request = SilentRequest(account: result.account, scopes: ["user.read"])
      #expect(try application.acquireTokenSilent(request).source == .cache)
    }
  }
}

/// A transport with a Date header in each response.
private struct DatedTransport: Transport {
  let network: LocalTransport
  let clock: VirtualClock

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    var response = try network.send(request, within: limits)
    // The virtual clock starts at the beginning of 2027.
    let second = clock.now.secondsSince1970 - 1_798_761_600
    let time = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    response.headers.append(
      HTTPHeader("Date", "Fri, 01 Jan 2027 \(time.joined(separator: ":")) GMT"))
    return response
  }
}
