// SPDX-License-Identifier: MIT
// Migration with a failing store, a concurrent migration or a truncated cache: only stored items are migrated.

import TesseraCache
import TesseraEngine
import TesseraLegacy
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct MigrationFailureTests {
  /// A store on a full disk.
  private struct FullStore: WrappingStore {
    let store: any CredentialStore

    func commit(
      _ change: CacheChange, within limits: CallLimits
    ) throws(TesseraError) -> CommitOutcome {
      throw TesseraError(.fixStorage, .storeUnavailable, "The disk is full.")
    }
  }

  /// A store in which another process migrates the same cache between a snapshot and the commit.
  private struct RacingStore: WrappingStore {
    let store: any CredentialStore

    func commit(
      _ change: CacheChange, within limits: CallLimits
    ) throws(TesseraError) -> CommitOutcome {
      try store.commit(change, within: limits)
      return try store.commit(change, within: limits)
    }
  }

  /// Returns a truncated cache of ADAL for Python.
  private func cut(_ count: Int, at authority: String) -> [UInt8] {
    let entries = (0..<count).map { number in
      #"""
      {"_clientId":"client","_authority":"\#(authority)","isMRRT":true,"refreshToken":"token \#(number)",\#
      "tokenType":"Bearer","userId":"a\#(number)@x.y"}
      """#
    }
    return Array(("[" + entries.joined(separator: ",") + ",").utf8)
  }

  @Test func `a full disk is an error even if the cache is truncated`() throws {
    let clock = VirtualClock()
    let bench = TestBench(clock: clock, store: FullStore(store: MemoryStore(time: clock)))
    let cache = cut(2000, at: bench.provider.entraAuthority("common"))
    expect(.storeUnavailable) {
      _ = try bench.application().migrate(MigrationRequest(data: cache, format: .adalPython))
    }
  }

  @Test func `a token that another process migrates first is reported as already migrated`() throws
  {
    let clock = VirtualClock()
    let bench = TestBench(clock: clock, store: RacingStore(store: MemoryStore(time: clock)))
    let cache = cut(2, at: bench.provider.entraAuthority("common"))
    let report = try bench.application().migrate(MigrationRequest(data: cache, format: .adalPython))
    #expect(report.accounts.map(\.outcome) == [.alreadyMigrated, .alreadyMigrated])
  }

  @Test func `the items before the end of a truncated cache are migrated`() throws {
    let bench = TestBench()
    let cache = cut(700, at: bench.provider.entraAuthority("common"))
    let report = try bench.application().migrate(
      MigrationRequest(data: cache, format: .adalPython))
    #expect(report.count(.migrated) == 700 && !report.damaged.isEmpty)
    #expect(try bench.application().accounts().count == 700)
  }
}
