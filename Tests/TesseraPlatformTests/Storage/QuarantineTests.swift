// SPDX-License-Identifier: MIT
// Damaged databases: reported, kept, and quarantined by the next sign-in, which recovers the readable records.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct QuarantineTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private var setAside: [String] {
    get throws { try bench.files().filter { $0.hasPrefix("group.damaged-") } }
  }

  private func data(_ name: String = "group.db") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(bench.directory.path)/\(name)"))
  }

  /// Changes the file in place, without a new inode and without any lock.
  private func edit(_ body: (inout Data) -> Void) throws {
    var bytes = try data()
    body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: bench.database), options: [])
  }

  /// Creates a store with some accounts, without open connections and with an empty log.
  private func fill(_ accounts: Int = 3) throws {
    let store = bench.store()
    for number in 0..<accounts { try bench.commit(store, "\(number)", owner: "home \(number)") }
    try bench.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test func `quarantine does not wait for processes with the damaged database open`() throws {
    try fill()
    let open = bench.store()
    #expect(try bench.secrets(open, owner: "home 1") == ["1"])
    let text = Data(String(repeating: "not a database ", count: 1000).utf8)
    try edit { $0 = text }
    let clock = VirtualClock()
    let start = clock.monotonicNanoseconds
    let writer = SQLiteStore(
      group: "group", directory: bench.directory.path, protection: bench.key, time: clock)
    try bench.commit(writer, "new", owner: "home 1")
    #expect(clock.monotonicNanoseconds - start < 2_000_000_000)
    #expect(try bench.secrets(open, owner: "home 1") == ["new"])
  }

  @Test func `a file that is not a database is quarantined by the next sign-in`() throws {
    try fill()
    let text = Data(String(repeating: "not a database ", count: 1000).utf8)
    try edit { $0 = text }
    expect(.cacheDamaged) { _ = try bench.secrets(bench.store()) }
    #expect(try data() == text)
    #expect(try setAside.isEmpty)

    try bench.commit(bench.store(), "new")
    #expect(try bench.secrets(bench.store()) == ["new"])
    let name = try #require(try setAside.first { $0.hasSuffix(".db") })
    #expect(try data(name) == text)
    #expect(name.wholeMatch(of: /group\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db/) != nil)
  }

  @Test func `lost accounts are reported, and recovered ones stay signed in`() throws {
    try fill(400)
    let size = try data().count
    try edit { bytes in
      // Overwrite the second half of the file, which contains records and indexes.
      bytes.replaceSubrange(size / 2..<size, with: Data(count: size - size / 2))
    }
    try bench.commit(bench.store(), "new")
    let name = try #require(try setAside.first { $0.hasSuffix(".db") })
    let store = bench.store()
    var saved = 0
    for number in 0..<400 {
      let snapshot = try bench.snapshot(store, owner: "home \(number)")
      if snapshot.credentials.first?.secret.reveal() == "\(number)" {
        saved += 1
        continue
      }
      #expect(snapshot.credentials.isEmpty)
      guard case .damaged(let what) = snapshot.condition else {
        Issue.record("an account was lost in silence")
        return
      }
      #expect(what.contains(name))
    }
    #expect(saved > 100 && saved < 400)
    #expect(try bench.secrets(store) == ["new"])
    // Once the quarantined file is deleted, a missing account is not reported as lost.
    for file in try setAside {
      try FileManager.default.removeItem(atPath: bench.directory.path + "/" + file)
    }
    #expect(try bench.snapshot(store, owner: "home 0x").condition == .usable)
  }

  @Test(arguments: [0..<16, 16..<100, 100..<700, 3500..<4096, 0..<4096])
  func `all records are recovered if only the first page is damaged`(_ range: Range<Int>) throws {
    try fill(40)
    // The latest commit is in the log.
    let open = bench.store()
    try bench.commit(open, "last", owner: "home 40")
    try edit { $0.replaceSubrange(range, with: Data(repeating: 0xA5, count: range.count)) }
    try bench.commit(bench.store(), "new")
    let store = bench.store()
    for number in 0..<40 {
      #expect(try bench.secrets(store, owner: "home \(number)") == ["\(number)"])
    }
    #expect(try bench.secrets(store, owner: "home 40") == ["last"])
    #expect(try bench.files().filter { $0.contains(".db-") && !$0.contains("damaged") }.count == 2)
    withExtendedLifetime(open) {}
  }

  @Test(arguments: [false, true])
  func `records of the second layout are recovered if only the first page is damaged`(
    _ isConverted: Bool
  ) throws {
    try UserMask.closed {
      let location = try StoreLocation(group: "group", directory: bench.directory.path)
      let old = try SQLiteConnection(path: bench.database, modeFrom: location.createModeFile())
      try SQLiteSchema.begin(old, isRemote: false)
      try old.execute(try #require(SQLiteSchema.histories.first))
      for number in 0..<40 {
        let token = StoreBench.token("\(number)", "home \(number)")
        try old.execute(OldLayout.row(.credential(token)))
      }
    }
    let key = PlaintextProtection()
    if isConverted { try bench.commit(bench.store(key), "last", owner: "home 40") }
    #expect(try bench.value("PRAGMA user_version") == (isConverted ? "3000" : "2000"))
    try edit { $0.replaceSubrange(0..<4096, with: Data(repeating: 0xA5, count: 4096)) }
    try bench.commit(bench.store(key), "new")
    let store = bench.store(key)
    for number in 0..<40 {
      #expect(try bench.secrets(store, owner: "home \(number)") == ["\(number)"])
    }
    #expect(try bench.secrets(store, owner: "home 40") == (isConverted ? ["last"] : []))
    #expect(try bench.secrets(store) == ["new"])
  }

  @Test func `an unfinished new database is never used`() throws {
    try fill()
    try FileManager.default.moveItem(atPath: bench.database, toPath: bench.database + "-unfinished")
    #expect(try bench.secrets(bench.store(), owner: "home 1") == [])
    try bench.commit(bench.store(), "new", owner: "home 1")
    #expect(try bench.secrets(bench.store(), owner: "home 1") == ["new"])
  }

  @Test func `applications with the old database open switch to the new one`() throws {
    try fill()
    let reader = bench.store()
    let writer = bench.store()
    #expect(try bench.secrets(reader, owner: "home 1") == ["1"])
    try bench.commit(writer, "first")
    try bench.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try edit { $0.replaceSubrange(0..<16, with: Data(count: 16)) }
    try bench.commit(bench.store(), "new")
    #expect(try bench.secrets(reader) == ["new"])
    try bench.commit(writer, "newer")
    #expect(try bench.secrets(reader) == ["newer"])
    #expect(try setAside.filter { $0.hasSuffix(".db") }.count == 1)
  }

  @Test func `concurrent sign-ins quarantine a damaged database once`() async throws {
    try fill()
    try edit { $0 = Data("damaged".utf8) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask { [bench] in
          try bench.commit(bench.store(), "\(number)", owner: "new \(number)")
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<6 {
      #expect(try bench.secrets(bench.store(), owner: "new \(number)") == ["\(number)"])
    }
    #expect(try setAside.filter { $0.hasSuffix(".db") }.count == 1)
  }

  /// Damages the database, lets a sign-in replace it, and undoes the last rename, like a kill between the two renames.
  private func interruptReplacement() throws {
    try fill(400)
    let size = try data().count
    try edit { $0.replaceSubrange(size / 2..<size, with: Data(count: size - size / 2)) }
    try bench.commit(bench.store(), "new")
    try bench.run("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: bench.database + suffix)
    }
    try FileManager.default.moveItem(atPath: bench.database, toPath: bench.database + "-next")
  }

  @Test(arguments: ["read", "write", "prove"])
  func `the next call completes a replacement that was killed between the renames`(
    _ call: String
  ) throws {
    try interruptReplacement()
    switch call {
    case "read": #expect(try bench.secrets(bench.store()) == ["new"])
    case "write": try bench.commit(bench.store(), "later", owner: "other")
    default: try bench.store().checkWritable(within: .none)
    }
    #expect(try bench.secrets(bench.store()) == ["new"])
    #expect(try bench.files().filter { $0.contains(".db-next") }.isEmpty)
  }

  @Test func `recovered records survive a failure between the two renames`() throws {
    try fill(400)
    let size = try data().count
    try edit { $0.replaceSubrange(size / 2..<size, with: Data(count: size - size / 2)) }
    let clock = VirtualClock(startingAt: Instant(secondsSince1970: 0))
    let failing = SQLiteStore(
      group: "group", directory: bench.directory.path, protection: bench.key, time: clock)
    // A directory blocks the rename to its path.
    let block = bench.directory.path + "/group.damaged-1970-01-01T00-00-00Z.db-wal"
    try FileManager.default.createDirectory(atPath: block, withIntermediateDirectories: false)
    expect(.storeUnavailable) { try bench.commit(failing, "new") }
    try FileManager.default.removeItem(atPath: block)
    let store = bench.store()
    let saved = try (0..<400).filter { try bench.secrets(store, owner: "home \($0)") == ["\($0)"] }
    #expect(saved.count > 100)
  }

  @Test func `a rollback journal is quarantined with its database`() throws {
    try fill()
    // A database on another machine has a journal, which SQLite would roll back into the new database.
    try Data([0, 1, 2]).write(to: URL(fileURLWithPath: bench.database + "-journal"))
    try edit { $0 = Data("damaged".utf8) }
    try bench.commit(bench.store(), "new")
    #expect(try setAside.contains { $0.hasSuffix(".db-journal") })
    #expect(try !bench.files().contains("group.db-journal"))
  }

  @Test func `only the five newest quarantined databases are kept`() throws {
    for round in 0..<8 {
      try bench.commit(bench.store(), "\(round)")
      try edit { $0 = Data("damaged \(round)".utf8) }
    }
    try bench.commit(bench.store(), "last")
    let names = try setAside.filter { $0.hasSuffix(".db") }
    #expect(names.count == 5)
    #expect(try names.contains { try data($0) == Data("damaged 7".utf8) })
    #expect(try !names.contains { try data($0) == Data("damaged 0".utf8) })
    #expect(bench.store().info(.preferEncrypted, within: .none).setAside.count == 5)
  }

  @Test func `a store with an unavailable key is never quarantined`() throws {
    try fill()
    bench.key.state.withLock { $0.isReachable = false }
    expect(.keyUnavailable) { try bench.commit(bench.store(), "new") }
    bench.key.state.withLock { state in
      state.isReachable = true
      state.keys = state.keys.mapValues { _ in [UInt8](repeating: 7, count: 32) }
    }
    expect(.cacheUndecryptable) { try bench.commit(bench.store(), "new") }
    expect(.cacheUndecryptable) { _ = try bench.secrets(bench.store(), owner: "home 1") }
    #expect(try setAside.isEmpty)
    #expect(bench.key.state.withLock { $0.made } == 1)
  }

  @Test func `missing tables are damage, and other records are recovered`() throws {
    try fill()
    try bench.run("DROP TABLE note; DROP INDEX record_list")
    expect(.cacheDamaged) { _ = try bench.secrets(bench.store(), owner: "nobody") }
    try bench.commit(bench.store(), "new")
    #expect(try bench.secrets(bench.store(), owner: "home 2") == ["2"])
    #expect(try bench.secrets(bench.store()) == ["new"])
  }

  @Test func `damage found by one process is quarantined by a commit of another`() throws {
    try fill(400)
    try bench.run(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'record_account'"
    )
    var selection = SnapshotSelection()
    selection.allAccounts = true
    expect(.cacheDamaged) { _ = try bench.store().snapshot(selection, within: .none) }
    try bench.commit(bench.store(), "new")
    #expect(try bench.store().snapshot(selection, within: .none).credentials.count == 401)
  }

  @Test func `storing provider metadata does not quarantine a damaged database`()
    throws
  {
    try fill()
    try edit { $0 = Data("damaged".utf8) }
    expect(.cacheDamaged) { try bench.store().checkWritable(within: .none) }
    #expect(try setAside.isEmpty)
  }
}
