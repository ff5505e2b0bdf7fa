// SPDX-License-Identifier: MIT
// Tokens of older libraries in a copied store.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacyCopyTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  @Test func `tokens imported from an older library are copied and usable in the copy`() throws {
    try bench.importItems(bench.legacyItem())
    let copy = try bench.application(store: MemoryStore(time: bench.clock))
    try copy.copy(from: bench.application())
    #expect(try copy.acquireTokenSilent(request).source == .network)
  }

  @Test func `tokens are merged with those of the same user name in the target store`() throws {
    let store = MemoryStore(time: bench.clock)
    let copy = try bench.application(store: store)
    let name = LocalUser.alice.username
    var dead = try bench.legacyItem()
    dead.realm = "organizations"
    dead.refreshToken = Secret("dead")
    try store.commit(
      CacheChange([
        .recordImport("adal_node", at: Instant(secondsSince1970: 1)),
        .legacy(name: name, .merge([dead])),
      ]), within: .none)
    try bench.importItems(bench.legacyItem())
    #expect(try copy.copy(from: bench.application()).recordCount == 1)
    #expect(try copy.acquireTokenSilent(request).source == .network)
    #expect(try copy.copy(from: bench.application()).recordCount == 0)
  }

  @Test func `each imported format is recorded with the time of its first import`() throws {
    let times: [(String, Int64)] = [("adal_python", 1), ("azure_cli", 2), ("adal_python", 3)]
    for (format, time) in times {
      let step = CacheChange.Step.recordImport(format, at: Instant(secondsSince1970: time))
      try bench.store.commit(CacheChange([step]), within: .none)
    }
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    let record = try bench.store.snapshot(selection, within: .none).records.first
    #expect(record?.members["legacy_sources"] == ["adal_python": 1, "azure_cli": 2])
  }
}
