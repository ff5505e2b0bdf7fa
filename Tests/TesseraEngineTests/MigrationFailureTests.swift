// SPDX-License-Identifier: MIT
// Stores that fail and caches that end too early, both at once: what was not stored is not reported as stored.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct MigrationFailureTests {
  /// A store on a disk that is full.
  private struct FullStore: WrappingStore {
    let store: any CredentialStore

    func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
      throw TesseraError(.fixStorage, .storeUnavailable, "The disk is full.")
    }
  }

  /// The lines of a keychain's export; what has no end stands for a copy that was cut off.
  private func cut(_ count: Int, at authority: String) -> [UInt8] {
    let entries = (0..<count).map { number in
      #"""
      {"_clientId":"client","_authority":"\#(authority)","isMRRT":true,"refreshToken":"token \#(number)",\#
      "tokenType":"Bearer","userId":"a\#(number)@x.y"}
      """#
    }
    return Array(("[" + entries.joined(separator: ",") + ",").utf8)
  }

  @Test func `a full disk is an error however the cache ends`() throws {
    let clock = VirtualClock()
    let bench = TestBench(clock: clock, store: FullStore(store: MemoryStore(time: clock)))
    let cache = cut(2000, at: bench.provider.entraAuthority("common"))
    expect(.storeUnavailable) {
      _ = try bench.application().migrate(MigrationRequest(data: cache, format: "adal_python"))
    }
  }

  @Test func `what was read before a cache ends is taken over`() throws {
    let bench = TestBench()
    let cache = cut(700, at: bench.provider.entraAuthority("common"))
    let report = try bench.application().migrate(
      MigrationRequest(data: cache, format: "adal_python"))
    #expect(report.count(.migrated) == 700 && !report.damaged.isEmpty)
    #expect(try bench.application().accounts().count == 700)
  }
}
