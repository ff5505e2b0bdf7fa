// SPDX-License-Identifier: MIT
// Silent calls for unknown accounts: the number of store reads, and imports after an unsuccessful lookup.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct UnknownAccountTests {
  private let store: CountingStore
  private let bench: TestBench
  private let unknown = SilentRequest(homeAccountID: "nobody.at-all", scopes: ["user.read"])

  init() {
    let clock = VirtualClock()
    store = CountingStore(MemoryStore(time: clock))
    bench = TestBench(clock: clock, store: store)
  }

  @Test func `without imports, an unknown account is looked up with one read less`() throws {
    let application = try bench.application()
    var looks: [Int] = []
    for _ in 0..<3 {
      let before = store.looks
      #expect(throws: TesseraError.self) { try application.acquireTokenSilent(unknown) }
      looks.append(store.looks - before)
    }
    #expect(looks[1] == looks[0] - 1 && looks[2] == looks[1])
  }

  @Test func `an account imported after an unsuccessful lookup is found`() throws {
    let application = try bench.application()
    let item = try bench.left(.alice)
    let request = bench.request(named: .alice)
    #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    try bench.take(item)
    #expect(try application.acquireTokenSilent(request).source == .network)
  }
}
