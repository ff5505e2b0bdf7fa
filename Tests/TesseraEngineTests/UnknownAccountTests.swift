// SPDX-License-Identifier: MIT
// Silent calls for unknown accounts: the number of store reads, and imports after an unsuccessful lookup.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
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

  #if TesseraLegacy
    @Test func `without imports, an unknown account is looked up with one read less`() throws {
      let application = try bench.application()
      var reads: [Int] = []
      for _ in 0..<3 {
        let before = store.readCount
        #expect(throws: TesseraError.self) { try application.acquireTokenSilent(unknown) }
        reads.append(store.readCount - before)
      }
      #expect(reads[1] == reads[0] - 1 && reads[2] == reads[1])
    }

    @Test func `an account imported after an unsuccessful lookup is found`() throws {
      let application = try bench.application()
      let item = try bench.legacyItem(.alice)
      let request = bench.request(named: .alice)
      #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
      try bench.importItems(item)
      #expect(try application.acquireTokenSilent(request).source == .network)
    }
  #endif

  @Test func `an access token without an account fails like a silent call`() throws {
    let application = try bench.application()
    let silent = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(SilentRequest(scopes: ["user.read"]))
    }
    let error = #expect(throws: TesseraError.self) {
      try application.token(scope: "user.read", username: nil, within: .none)
    }
    #expect(error?.code == silent?.code && error?.message == silent?.message)
  }
}
