// SPDX-License-Identifier: MIT
// The transport without a network, and the bytes that are the same in every run.

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

  @Test func `without a network nothing arrives`() {
    transport.network = .down
    let error = #expect(throws: TesseraError.self) { try transport.send(request, within: .none) }
    #expect(error?.code == .networkFailed)
    #expect(error?.remedy == .retryLater)
    #expect(bench.provider.counts.requests == 0)
    #expect(transport.requests.count == 1)
  }

  @Test func `a lost response took effect all the same`() {
    transport.network = .losingResponses
    #expect(throws: TesseraError.self) { try transport.send(request, within: .none) }
    #expect(bench.provider.counts.discoveryRequests == 1)
  }

  @Test func `another host cannot be reached`() {
    let elsewhere = HTTPRequest.get("https://login.example.com/common")
    #expect(throws: TesseraError.self) { try transport.send(elsewhere, within: .none) }
  }

  @Test func `a slow network meets the deadline`() {
    transport.latencyNanoseconds = 5_000_000_000
    let limits = CallLimits(timeoutMilliseconds: 1000, time: bench.clock)
    let error = #expect(throws: TesseraError.self) { try transport.send(request, within: limits) }
    #expect(error?.code == .deadlineExceeded)
    #expect(bench.provider.counts.requests == 0)
  }

  @Test func `one seed gives the same bytes every time`() {
    let (first, second) = (SeededRandomness(seed: 7), SeededRandomness(seed: 7))
    #expect(first.bytes(32) == second.bytes(32))
    #expect(first.bytes(32) != SeededRandomness(seed: 8).bytes(32))
    #expect(SeededRandomness().bytes(-1).isEmpty)
    #expect(first.uuid().count == 36)
  }
}
