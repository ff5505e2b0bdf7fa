// SPDX-License-Identifier: MIT
// The conversion of a store of the second layout: complete, or without any effect.

import CSQLite
import Dispatch
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

@Suite struct ConversionTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
    let store = bench.store()
    for number in 0..<12 {
      try bench.commit(store, "refresh \(number)", owner: "home \(number)")
      try store.commit(CacheChange([.replaceAccessToken(accessToken(number))]), within: .none)
    }
    // Free pages would be used by the conversion.
    try bench.run(OldLayout.second + "\nPRAGMA incremental_vacuum;")
  }

  private func accessToken(
    _ number: Int, expires: Int64 = 4_000_000_000
  ) -> CredentialRecord {
    var token = CredentialRecord(
      type: .accessToken,
      secret: Secret("access \(number)" + String(repeating: "x", count: 1500)))
    token.homeAccountID = "home \(number)"
    token.environment = "issuer.example"
    token.clientID = "client"
    token.realm = "tenant"
    token.target = "openid read"
    token.expiresAt = Instant(secondsSince1970: expires)
    return token
  }

  private func selection(_ number: Int) -> SnapshotSelection {
    var selection = SnapshotSelection()
    selection.owner = "home \(number)"
    selection.scope = "read"
    return selection
  }

  private func snapshot(_ store: SQLiteStore, _ number: Int) throws -> CacheSnapshot {
    try store.snapshot(selection(number), within: .none)
  }

  /// Checks that a store has all records, found by owner and by scope.
  private func expectEverything(_ bench: StoreBench) throws {
    let store = bench.store(self.bench.key)
    for number in 0..<12 {
      let secrets = try snapshot(store, number).credentials.map { $0.secret.reveal().prefix(9) }
      #expect(Set(secrets) == ["refresh \(number)".prefix(9), "access \(number)x".prefix(9)])
    }
  }

  /// Returns a copy of the files, as a killed process leaves them.
  private func copy() throws -> StoreBench {
    let copy = try StoreBench()
    for file in ["group.db", "group.db-wal", "group.fresh"]
    where FileManager.default.fileExists(atPath: "\(bench.directory.path)/\(file)") {
      try FileManager.default.copyItem(
        atPath: "\(bench.directory.path)/\(file)", toPath: "\(copy.directory.path)/\(file)")
    }
    return copy
  }

  @Test func `a store of the second layout is read without a change`() throws {
    try expectEverything(bench)
    #expect(try bench.value("PRAGMA user_version") == "2000")
    #expect(bench.store().info(.preferEncrypted, within: .none).layoutVersion == 2000)
    #expect(bench.key.state.withLock { $0.made } == 1)
  }

  @Test func `the first commit converts the store, and every row has its key`() throws {
    let reader = bench.store()
    let before = try snapshot(reader, 3).records
    try bench.commit(bench.store(), "new", owner: "new")
    #expect(try bench.value("PRAGMA user_version") == "3000")
    #expect(try bench.value("SELECT count(*) FROM record") == "25")
    #expect(
      try bench.value("SELECT count(*) FROM scope WHERE record NOT IN (SELECT key FROM record)")
        == "0")
    #expect(try bench.value("PRAGMA integrity_check") == "ok")
    // A process that opened the store before the conversion continues.
    #expect(Set(try snapshot(reader, 3).records) == Set(before))
    try expectEverything(bench)
    #expect(try bench.secrets(reader, owner: "new") == ["new"])
    let other = try StoreBench()
    try bench.commit(other.store(bench.key), "new", owner: "new")
    let tables =
      "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_schema ORDER BY name)"
    #expect(try bench.value(tables) == other.value(tables))
  }

  @Test func `a conversion that was killed after any statement has no effect`() throws {
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    // Without a cache, every changed page is written to the log at once.
    try connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE")
    for statement in SQLiteSchema.upgradeFromSecond.split(separator: ";") {
      try connection.execute(String(statement))
      let copy = try copy()
      #expect(try copy.value("PRAGMA user_version") == "2000")
      try expectEverything(copy)
      try copy.commit(copy.store(bench.key), "new", owner: "new")
      #expect(try copy.value("PRAGMA user_version") == "3000")
      try expectEverything(copy)
    }
    try connection.execute("COMMIT")
    try expectEverything(bench)
  }

  @Test func `a conversion without enough space has no effect`() throws {
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    let pages = try #require(try connection.integer("PRAGMA page_count"))
    var isConverted = false
    var failures = 0
    for limit in 0..<pages * 2 where !isConverted {
      try connection.execute("PRAGMA max_page_count = \(pages + limit)")
      do throws(SQLiteFailure) {
        try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
          try SQLiteLayout.upgrade(connection, within: .none, SystemTime())
        }
        isConverted = true
      } catch {
        failures += 1
        #expect(error.code == SQLITE_FULL)
        #expect(try bench.value("PRAGMA user_version") == "2000")
        // The same connection reads the rows that remain, through the view of the older layout.
        let found = try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
          try SQLiteLayout.detect(connection)
          return try connection.integer("SELECT count(*) FROM record WHERE name <> 0")
        }
        #expect(found == 24)
      }
    }
    #expect(isConverted && failures > 0)
    try expectEverything(bench)
  }

  @Test func `a connection whose conversion failed reads a store that another process converted`()
    throws
  {
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    try connection.execute("PRAGMA max_page_count = 1")
    #expect(throws: SQLiteFailure.self) {
      try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
        try SQLiteLayout.upgrade(connection, within: .none, SystemTime())
      }
    }
    try bench.commit(bench.store(), "new", owner: "new")
    let misplaced = try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
      try SQLiteLayout.detect(connection)
      return try connection.integer("SELECT count(*) FROM record WHERE key = name")
    }
    #expect(misplaced == 0)
  }

  @Test func `two processes that convert a store at the same time both commit`() throws {
    for _ in 0..<5 {
      let copy = try copy()
      let stores = [copy.store(bench.key), copy.store(bench.key)]
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        #expect(throws: Never.self) {
          try copy.commit(stores[index], "\(index)", owner: "new \(index)")
        }
      }
      try expectEverything(copy)
      for index in 0..<2 {
        #expect(try copy.secrets(stores[0], owner: "new \(index)") == ["\(index)"])
      }
    }
  }

  @Test func `a row with a wrong key is damaged`() throws {
    let store = bench.store()
    try bench.commit(store, "new", owner: "new")
    try bench.run("UPDATE record SET key = key + 1 WHERE type = 2002")
    let found = try snapshot(store, 3)
    #expect(found.credentials.allSatisfy { $0.type.isAccessToken })
    guard case .damaged = found.condition else {
      Issue.record("the condition is \(found.condition)")
      return
    }
  }

  @Test(arguments: [2000, 3000])
  func `a call that needs an access token gets it from every layout`(_ layout: Int) throws {
    let store = bench.store()
    if layout == 3000 { try bench.commit(store, "new", owner: "new") }
    #expect(try bench.value("PRAGMA user_version") == "\(layout)")
    var selection = selection(3)
    selection.isSufficient = { records, hasRefreshTokens in
      hasRefreshTokens && records.contains { $0.accessToken != nil }
    }
    let found = try store.snapshot(selection, within: .none)
    #expect(found.credentials.map(\.type) == [.accessToken])
    #expect(found.version != nil)
    selection.isSufficient = { _, _ in false }
    let whole = try store.snapshot(selection, within: .none)
    #expect(Set(whole.credentials.map(\.type)) == [.accessToken, .refreshToken])
  }

  @Test func `a silent call reads its records with one statement`() throws {
    let store = bench.store()
    try bench.commit(store, "new", owner: "new")
    var selection = selection(3)
    selection.isSufficient = { records, _ in records.contains { $0.accessToken != nil } }
    // The first call opens the database.
    _ = try store.snapshot(selection, within: .none)
    let statements = Statements()
    try store.withConnection(
      .reading, try StoreLocation(group: "group", directory: bench.directory.path), .none
    ) { connection, _ throws(TesseraError) in
      statements.trace(connection)
    }
    #expect(try store.snapshot(selection, within: .none).credentials.count == 1)
    #expect(statements.texts.count == 4)
    #expect(statements.texts.filter { $0.contains("SELECT") }.count == 1)
  }

  @Test func `a conversion ends at the limits of the call without a change`() throws {
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    let cancellation = Cancellation()
    cancellation.cancel()
    let time = SystemTime()
    let limits = [
      (CallLimits(cancellation: cancellation, time: time), TesseraError.Code.cancelled),
      (CallLimits(timeoutMilliseconds: 0, time: time), .deadlineExceeded),
    ]
    for (limits, code) in limits {
      let failure = #expect(throws: SQLiteFailure.self) {
        try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
          // More records than the instructions between two checks store.
          for _ in 0..<100 {
            try connection.execute("INSERT INTO record (type, body) VALUES (7001, zeroblob(100))")
          }
          try SQLiteLayout.upgrade(connection, within: limits, time)
        }
      }
      #expect(failure?.problem?.code == code)
      #expect(try bench.value("PRAGMA user_version") == "2000")
      #expect(try bench.value("SELECT count(*) FROM record") == "24")
    }
    try expectEverything(bench)
    try bench.commit(bench.store(), "new", owner: "new")
    try expectEverything(bench)
  }
}

/// The statements of a connection.
private final class Statements {
  private(set) var texts: [String] = []

  /// Records the statements that a connection runs from now on.
  ///
  /// This object is never freed, because the connection runs statements until it is closed.
  func trace(_ connection: SQLiteConnection) {
    let context = Unmanaged.passRetained(self).toOpaque()
    connection.withDatabase { database in
      _ = sqlite3_trace_v2(
        database, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, _ in
          guard let context, let statement,
            let text = sqlite3_sql(OpaquePointer(statement))
          else { return 0 }
          let statements = Unmanaged<Statements>.fromOpaque(context).takeUnretainedValue()
          statements.texts.append(String(cString: text))
          return 0
        }, context)
    }
  }
}
