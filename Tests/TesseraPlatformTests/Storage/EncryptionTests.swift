// SPDX-License-Identifier: MIT
// Encrypted stores: no plaintext on disk, one key per store, and no replacement for an unavailable key.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestSupport
import Testing

@Suite struct EncryptionTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func recorder() -> (TesseraLog, SpinLock<[String]>) {
    let lines = SpinLock<[String]>([])
    return (TesseraLog { _, line in lines.withLock { $0.append(line) } }, lines)
  }

  @Test func `no file contains an encrypted secret, and a store with the key reads it`() throws {
    let store = bench.store()
    try bench.commit(store, "canary-of-sealing")
    #expect(try bench.secrets(bench.store()) == ["canary-of-sealing"])
    #expect(try !bench.filesHold("canary-of-sealing"))
    #expect(try !bench.filesHold("issuer.example"))
    #expect(try bench.value("SELECT count(*) FROM record WHERE key_id = 0") == "0")
  }

  @Test func `a key is created once and obtained once per application`() throws {
    let store = bench.store()
    for round in 0..<3 { try bench.commit(store, "\(round)") }
    let other = bench.store()
    for _ in 0..<3 { _ = try bench.secrets(other) }
    try bench.commit(other, "other")
    let state = bench.key.state.withLock { $0 }
    #expect(state.made == 1)
    #expect(state.asked == 1)
  }

  @Test func `two processes that start at the same time create one key`() async throws {
    let stores = (0..<4).map { _ in bench.store() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask { [bench] in try bench.commit(store, "\(index)", owner: "home \(index)") }
      }
      try await group.waitForAll()
    }
    #expect(bench.key.state.withLock { $0.made } == 1)
    for index in 0..<4 {
      #expect(try bench.secrets(bench.store(), owner: "home \(index)") == ["\(index)"])
    }
  }

  @Test func `creating a key blocks only writers that need a key`()
    throws
  {
    let (bench, outcomes) = (bench, SpinLock<[String]>([]))
    bench.key.whileMaking.withLock { hook in
      hook = {
        let isFree = (try? bench.run("BEGIN IMMEDIATE; ROLLBACK")) != nil
        let other = SQLiteStore(
          group: "group", directory: bench.directory.path, protection: FixedKey(),
          time: VirtualClock())
        var code: TesseraError.Code?
        do throws(TesseraError) {
          try other.commit(
            CacheChange([.put(.credential(StoreBench.token("other")))]), within: .none)
        } catch {
          code = error.code
        }
        outcomes.withLock { [code] in $0 += ["\(isFree)", code?.rawValue ?? "committed"] }
      }
    }
    try bench.commit(bench.store(), "first")
    #expect(outcomes.withLock { $0 } == ["true", "store_busy"])
    #expect(try bench.value("SELECT count(*) FROM seal") == "1")
    #expect(try bench.secrets(bench.store()) == ["first"])
  }

  @Test func `a retried commit uses the key that was already created`() throws {
    let bench = bench
    bench.key.whileMaking.withLock { hook in
      hook = {
        bench.key.whileMaking.withLock { $0 = nil }
        let count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<2000000)"
        // The loop below may hold the database lock, so the thread retries until it has held it once.
        let isLocked = SpinLock(false)
        Thread.detachNewThread {
          while !isLocked.withLock(\.self) {
            try? bench.run("BEGIN IMMEDIATE; \(count) SELECT count(*) FROM c; ROLLBACK")
          }
        }
        while (try? bench.run("BEGIN IMMEDIATE; ROLLBACK")) != nil {}
        isLocked.withLock { $0 = true }
      }
    }
    try bench.commit(bench.store(), "first")
    #expect(bench.key.state.withLock { $0.made } == 1)
    #expect(try bench.secrets(bench.store()) == ["first"])
  }

  @Test func `an unavailable key source is an error and changes nothing`() throws {
    try bench.commit(bench.store(), "kept")
    bench.key.state.withLock { $0.isReachable = false }
    let before = try bench.files()
    expect(.keyUnavailable) { _ = try bench.secrets(bench.store()) }
    expect(.keyUnavailable) { try bench.commit(bench.store(), "other") }
    #expect(try bench.files() == before)
    bench.key.state.withLock { $0.isReachable = true }
    #expect(try bench.secrets(bench.store()) == ["kept"])
    #expect(bench.key.state.withLock { $0.made } == 1)
  }

  @Test func `a wrong key is reported as such and not replaced`() throws {
    try bench.commit(bench.store(), "kept")
    let right = bench.key.state.withLock { $0.keys }
    bench.key.state.withLock { state in
      for place in state.keys.keys { state.keys[place] = [UInt8](repeating: 7, count: 32) }
    }
    expect(.cacheUndecryptable) { _ = try bench.secrets(bench.store()) }
    expect(.cacheUndecryptable) { try bench.commit(bench.store(), "other") }
    bench.key.state.withLock { $0.keys = right }
    #expect(try bench.secrets(bench.store()) == ["kept"])
    #expect(bench.key.state.withLock { $0.made } == 1)
  }

  @Test func `an unencrypted store is encrypted as soon as it gets a key`() throws {
    bench.key.state.withLock {
      $0.isReachable = false
      $0.allowsUnencrypted = true
    }
    try bench.commit(bench.store(), "canary-in-clear")
    #expect(try bench.filesHold("canary-in-clear"))
    bench.key.state.withLock { $0.isReachable = true }
    try bench.commit(bench.store(), "second", owner: "other")
    #expect(try bench.secrets(bench.store()) == ["canary-in-clear"])
    #expect(try !bench.filesHold("canary-in-clear"))
  }

  @Test func `a key that the policy rejects is replaced, and all rows are re-encrypted`() throws {
    bench.key.state.withLock { $0.source = .keyFile }
    try bench.commit(bench.store(), "first")
    bench.key.state.withLock {
      $0.source = .caller
      $0.accepted = [.caller]
    }
    let reader = bench.store()
    #expect(try bench.secrets(reader) == ["first"])
    try bench.commit(bench.store(), "second", owner: "other")
    #expect(try bench.secrets(reader) == ["first"])
    #expect(try bench.value("SELECT group_concat(DISTINCT key_id) FROM record") == "2")
    #expect(try bench.value("SELECT max(id) FROM seal") == "2")
  }

  @Test func `a row copied over another row cannot be decrypted`() throws {
    try bench.commit(bench.store(), "one", owner: "one")
    try bench.commit(bench.store(), "two", owner: "two")
    try bench.run(
      """
      UPDATE record SET body = (SELECT body FROM record ORDER BY key LIMIT 1)
      WHERE key = (SELECT max(key) FROM record)
      """)
    let found = try ["one", "two"].map { try bench.snapshot(bench.store(), owner: $0) }
    #expect(found.map(\.records.count).sorted() == [0, 1])
    #expect(found.filter { if case .damaged = $0.condition { true } else { false } }.count == 1)
  }

  @Test func `an unencrypted row is rejected in an encrypted store`() throws {
    try bench.commit(bench.store(), "sealed")
    try bench.run("UPDATE record SET key_id = 0, body = CAST('{}' AS BLOB)")
    guard case .damaged = try bench.snapshot(bench.store()).condition else {
      Issue.record("the row was accepted")
      return
    }
  }

  @Test func `require_encrypted neither reads nor encrypts unencrypted records`() throws {
    try bench.commit(bench.store(), "sealed")
    bench.key.state.withLock { $0.trustsUnencrypted = false }
    #expect(try bench.secrets(bench.store()) == ["sealed"])
    // As an attacker with write access to the files could do.
    try bench.run("DELETE FROM seal; UPDATE record SET key_id = 0, body = CAST('{}' AS BLOB)")
    expect(.encryptionUnavailable) { _ = try bench.secrets(bench.store()) }
    expect(.encryptionUnavailable) { try bench.commit(bench.store(), "mine", owner: "me") }
    let info = bench.store().info(.requireEncrypted, within: .none)
    #expect(info.problem?.code == .encryptionUnavailable)
    #expect(try bench.value("SELECT count(*) FROM record WHERE key_id <> 0") == "0")
    #expect(bench.key.state.withLock { $0.made } == 1)
  }

  @Test func `weak protection is logged before the first write`() throws {
    let (log, lines) = recorder()
    bench.key.state.withLock {
      $0.source = .keyFile
      $0.attempts = [KeyAttempt(source: .secretService, problem: .noBus, reason: "no bus")]
    }
    let wasEmpty = SpinLock<Bool?>(nil)
    let database = bench.database
    let asking = TesseraLog { level, line in
      log.write(level, line)
      let row = try? DatabaseEditor.value("SELECT 1 FROM record", of: database)
      wasEmpty.withLock { $0 = row == nil }
    }
    try bench.commit(bench.store(log: asking), "secret")
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first?.contains("no_bus") } == true)
    #expect(wasEmpty.withLock { $0 } == true)
  }

  @Test func `rotateKey re-encrypts all rows, and rows with the old key stay readable`() throws {
    let store = bench.store()
    for index in 0..<300 { try bench.commit(store, "secret \(index)", owner: "\(index)") }
    let reader = bench.store()
    #expect(try bench.secrets(reader, owner: "7") == ["secret 7"])
    #expect(try store.rotateKey(to: nil, within: .none))
    #expect(try bench.value("SELECT group_concat(DISTINCT key_id) FROM record") == "2")
    for index in 0..<300 {
      #expect(try bench.secrets(reader, owner: "\(index)") == ["secret \(index)"])
    }
    // A row encrypted with the old key, as another version may have left it.
    try bench.run("UPDATE record SET key_id = 1 WHERE key = (SELECT min(key) FROM record)")
    let damaged = try (0..<300).filter { try bench.secrets(bench.store(), owner: "\($0)").isEmpty }
    #expect(damaged.count == 1)
  }

  @Test func `a refresh token that a call does not need is not decrypted`() throws {
    try bench.commit(bench.store(), "refresh")
    var token = CredentialRecord(type: .idToken, secret: Secret("id"))
    token.homeAccountID = "home"
    token.environment = "issuer.example"
    token.clientID = "client"
    try bench.store().commit(CacheChange([.put(.credential(token))]), within: .none)
    // Nothing can decrypt this row.
    try bench.run("UPDATE record SET body = zeroblob(64) WHERE type = 2002")
    var selection = SnapshotSelection()
    selection.owner = "home"
    selection.isSufficient = { records, hasRefreshTokens in hasRefreshTokens && records.count == 1 }
    let found = try bench.store().snapshot(selection, within: .none)
    #expect(found.credentials.map(\.type) == [.idToken])
    #expect(found.condition == .usable)
    selection.isSufficient = { _, _ in false }
    guard case .damaged = try bench.store().snapshot(selection, within: .none).condition else {
      Issue.record("the damaged row was not read")
      return
    }
  }

  @Test func `records that do not suffice are read with the rest`() throws {
    try bench.commit(bench.store(), "refresh")
    var selection = SnapshotSelection()
    selection.owner = "home"
    let metadata = AppMetadataRecord(
      clientID: "client", environment: "issuer.example", familyID: "1")
    try bench.store().commit(CacheChange([.put(.appMetadata(metadata))]), within: .none)
    selection.keys = [metadata.key]
    let all = try bench.store().snapshot(selection, within: .none)
    selection.isSufficient = { records, hasRefreshTokens in !hasRefreshTokens || !records.isEmpty }
    let found = try bench.store().snapshot(selection, within: .none)
    #expect(Set(found.records) == Set(all.records) && found.records.count == 2)
    selection.owner = "nobody"
    #expect(try bench.store().snapshot(selection, within: .none).records.isEmpty)
  }
}
