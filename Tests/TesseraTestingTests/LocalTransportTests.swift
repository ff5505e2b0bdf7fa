// SPDX-License-Identifier: MIT
// The in-memory transport, and the seeded random generator.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LocalTransportTests {
  let bench = Bench()
  let transport: LocalTransport
  private let request = HTTPRequest.get(
    Bench.origin + "/oidc/main/.well-known/openid-configuration")

  init() {
    transport = LocalTransport(to: bench.provider, time: bench.clock)
  }

  @Test func `a request reaches the provider and is recorded`() throws {
    #expect(try transport.send(request, within: .none).status == 200)
    #expect(transport.requests == [request])
  }

  @Test func `with the network down, no request reaches the provider`() {
    transport.network = .down
    let error = #expect(throws: TesseraError.self) { try transport.send(request, within: .none) }
    #expect(error?.code == .networkFailed)
    #expect(error?.remedy == .retryLater)
    #expect(bench.provider.counts.requests == 0)
    #expect(transport.requests.count == 1)
  }

  @Test func `a request with a lost response still takes effect`() {
    transport.network = .losingResponses
    #expect(throws: TesseraError.self) { try transport.send(request, within: .none) }
    #expect(bench.provider.counts.discoveryRequests == 1)
  }

  @Test func `another host is unreachable`() {
    let elsewhere = HTTPRequest.get("https://login.example.com/common")
    #expect(throws: TesseraError.self) { try transport.send(elsewhere, within: .none) }
  }

  @Test func `a slow network exceeds the deadline`() {
    transport.latencyNanoseconds = 5_000_000_000
    let limits = CallLimits(timeoutMilliseconds: 1000, time: bench.clock)
    let error = #expect(throws: TesseraError.self) { try transport.send(request, within: limits) }
    #expect(error?.code == .deadlineExceeded)
    #expect(bench.provider.counts.requests == 0)
  }

  @Test func `equal seeds produce equal bytes`() {
    let (first, second) = (SeededRandomness(seed: 7), SeededRandomness(seed: 7))
    #expect(first.bytes(32) == second.bytes(32))
    #expect(first.bytes(32) != SeededRandomness(seed: 8).bytes(32))
    #expect(SeededRandomness().bytes(-1).isEmpty)
    #expect(first.uuid().count == 36)
  }
}
