// SPDX-License-Identifier: MIT
// What older libraries left goes along when a store is copied into another one, and is found there.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacyCopyTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  @Test func `what was taken over in one store serves in its copy`() throws {
    try bench.take(bench.left())
    let copy = try bench.application(store: MemoryStore(time: bench.clock))
    try copy.copy(from: bench.application())
    #expect(try copy.acquireTokenSilent(request).source == .network)
  }

  @Test func `it comes beside what the other store has under the same name`() throws {
    let store = MemoryStore(time: bench.clock)
    let copy = try bench.application(store: store)
    let name = LocalUser.alice.username
    var dead = try bench.left()
    dead.realm = "organizations"
    dead.refreshToken = Secret("dead")
    try store.commit(
      CacheChange([
        .noteSource(.adalNode, at: Instant(secondsSince1970: 1)),
        .legacy(name: name, .merge([dead])),
      ]), within: .none)
    try bench.take(bench.left())
    #expect(try copy.copy(from: bench.application()).recordCount == 1)
    #expect(try copy.acquireTokenSilent(request).source == .network)
    #expect(try copy.copy(from: bench.application()).recordCount == 0)
  }

  @Test func `every format that was taken over is noted, with its first time`() throws {
    let times: [(LegacyFormat, Int64)] = [(.adalPython, 1), (.azureCLI, 2), (.adalPython, 3)]
    for (format, time) in times {
      let step = CacheChange.Step.noteSource(format, at: Instant(secondsSince1970: time))
      try bench.store.commit(CacheChange([step]), within: .none)
    }
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    let record = try bench.store.snapshot(selection, within: .none).records.first
    #expect(record?.members["legacy_sources"] == ["adal_python": 1, "azure_cli": 2])
  }
}
