// SPDX-License-Identifier: MIT
// The information about a store, in each of its states.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestSupport
import Testing

@Suite struct StoreInfoTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private var info: StoreInfo { bench.store().info(.preferEncrypted, within: .none) }

  @Test func `info of a missing store reports missing and creates nothing`() throws {
    #expect(info.state == .missing)
    #expect(info.path == bench.database)
    #expect(try bench.files().isEmpty)
  }

  @Test func `info reports the contents and the key source`() throws {
    let tried = KeyAttempt(
      source: .secretService, problem: .noBus, reason: "there is no session bus, it says")
    bench.key.state.withLock { $0.source = .keyFile }
    bench.key.state.withLock { $0.attempts = [tried] }
    try bench.commit(bench.store(), "one")
    try bench.commit(bench.store(), "two", owner: "other")
    let info = info
    #expect(info.state == .usable)
    #expect(info.policy == .preferEncrypted)
    #expect(info.protection == .obfuscated)
    #expect(info.keySource == .keyFile)
    #expect(info.attempts == [tried])
    #expect(info.layoutVersion == 3000)
    #expect(info.records?.refreshTokens == 2)
    #expect(info.records?.accounts == 0)
    #expect(info.problem == nil)
    let bytes = try #require(info.bytes)
    #expect(bytes > 0 && bytes <= (info.fileBytes ?? 0))
  }

  @Test func `info reports an unencrypted store as plaintext`() throws {
    try bench.commit(bench.store(PlaintextProtection()), "one")
    let info = bench.store(PlaintextProtection()).info(.allowPlaintext, within: .none)
    #expect(info.protection == .plaintext)
    #expect(info.keySource == nil)
  }

  @Test func `info without the key reports locked and everything that needs no key`() throws {
    try bench.commit(bench.store(), "one")
    bench.key.state.withLock { $0.isReachable = false }
    #expect(info.state == .locked)
    #expect(info.problem?.code == .keyUnavailable)
    #expect(info.keySource == .caller)
    #expect(info.records?.refreshTokens == 1)
  }

  @Test func `a database without tables is reported as empty`() throws {
    // The result of a first commit on a full disk.
    try bench.run("PRAGMA application_id = 1413829459")
    #expect(info.state == .empty)
    #expect(info.problem == nil)
  }

  @Test func `info of a store with a newer layout reports too_new`() throws {
    try bench.commit(bench.store(), "one")
    try bench.run("PRAGMA user_version = 4000")
    #expect(info.state == .tooNew)
    #expect(info.problem?.code == .storeTooNew)
  }
}
