// SPDX-License-Identifier: MIT
// Page checksums: after a change of any byte, the records are intact or reported as damaged.

import CSQLite
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct PageChecksumTests {
  private let bench: StoreBench
  private let owners = (0..<6).map { "home \($0)" }

  init() throws {
    bench = try StoreBench()
  }

  /// A store without encryption, so that only the checksums detect a change.
  private func store() -> SQLiteStore { bench.store(PlaintextProtection()) }

  private func fill(_ store: SQLiteStore) throws {
    // The last secret does not fit into a page.
    for owner in owners { try bench.commit(store, "of " + owner, owner: owner) }
    try bench.commit(store, String(repeating: "long ", count: 2000), owner: "long")
  }

  private func bytes(_ file: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: bench.database + file))
  }

  /// Overwrites the file in place, as a failing disk does.
  private func put(_ data: Data, _ file: String) throws {
    try data.write(to: URL(fileURLWithPath: bench.database + file), options: [])
  }

  /// Returns the accounts with lost or changed tokens but without a report of damage.
  private func lost(_ store: SQLiteStore) -> [String] {
    owners.filter { owner in
      do {
        return try bench.secrets(store, owner: owner) != ["of " + owner]
      } catch {
        return (error as? TesseraError)?.code != .cacheDamaged
      }
    }
  }

  @Test func `a changed byte of the database is reported as damage or has no effect`() throws {
    try fill(store())
    let whole = try bytes("")
    for place in stride(from: 0, to: whole.count, by: 397) {
      var changed = whole
      changed[place] ^= 0x10
      try put(changed, "")
      // Other checks report changes of the file type and the layout version.
      if place < 100 { continue }
      #expect(lost(store()) == [], "byte \(place)")
    }
    try put(whole, "")
    #expect(lost(store()) == [])
  }

  @Test func `freed space in pages is overwritten with zeros`() throws {
    let store = store()
    for number in 0..<200 {
      let secret = String(repeating: "\(number) ", count: 20 + number * 37 % 400)
      try bench.commit(store, secret, owner: "home \(number)")
    }
    // A sign-out checkpoints the log.
    let signOut = CacheChange.SignOut(
      homeAccountID: "home 7", clientID: nil, environments: ["issuer.example"], isEntra: false)
    try store.commit(CacheChange([.signOut(signOut)]), within: .none)
    let pages = [UInt8](try bytes(""))
    var leaves = 0
    for start in stride(from: 4096, to: pages.count, by: 4096) where pages[start] == 13 {
      leaves += 1
      let rows = Int(pages[start + 3]) << 8 | Int(pages[start + 4])
      let content = Int(pages[start + 5]) << 8 | Int(pages[start + 6])
      let gap = pages[start + 8 + 2 * rows..<start + content]
      #expect(gap.allSatisfy { $0 == 0 }, "page \(start / 4096 + 1)")
    }
    #expect(leaves > 20)
  }

  @Test(arguments: [20, 21, 22, 28, 36, 52])
  func `a changed header of the database is detected`(_ place: Int) throws {
    try fill(store())
    var changed = try bytes("")
    changed[place] ^= 1
    try put(changed, "")
    expect(.cacheDamaged) { _ = try bench.secrets(store(), owner: "home 0") }
  }

  @Test func `exchanged, truncated or partially written pages are damage`() throws {
    try fill(store())
    let whole = try bytes("")
    let page = 4096
    let leaf = try #require(
      (1..<whole.count / page).first { whole[$0 * page] == 13 && whole[$0 * page + 4] > 1 })
    var swapped = whole
    let other = leaf == 1 ? 2 : 1
    swapped.replaceSubrange(
      leaf * page..<(leaf + 1) * page, with: whole[other * page..<(other + 1) * page])
    var emptied = whole
    emptied.resetBytes(in: (leaf + 1) * page - 512..<(leaf + 1) * page)
    for changed in [swapped, emptied, whole.prefix((leaf + 1) * page - 3)] {
      try put(Data(changed), "")
      #expect(lost(store()) == [])
      expect(.cacheDamaged) { _ = try bench.secrets(store(), owner: "home 0") }
    }
  }

  @Test func `a page with the end of another sector is damage`() throws {
    try fill(store())
    let whole = try bytes("")
    let ends = stride(from: 4096 - 512, to: whole.count, by: 4096)
    let sectors = stride(from: 0, to: whole.count, by: 512).filter { place in
      whole[place..<place + 512].suffix(8) == Data(count: 8)
    }
    #expect(!sectors.isEmpty)
    for end in ends {
      for sector in sectors {
        var changed = whole
        changed.replaceSubrange(end..<end + 512, with: whole[sector..<sector + 512])
        try put(changed, "")
        #expect(lost(store()) == [], "sector \(sector / 512) at \(end / 512)")
      }
    }
  }

  @Test func `a changed byte in the log of an open store is damage or has no effect`()
    throws
  {
    let writer = store()
    try fill(writer)
    let whole = try bytes("-wal")
    for place in stride(from: 40, to: whole.count, by: 701) {
      var changed = whole
      changed[place] ^= 0x10
      try put(changed, "-wal")
      #expect(lost(store()) == [], "byte \(place)")
    }
    try put(whole, "-wal")
    #expect(lost(store()) == [])
  }

  @Test func `transactions larger than the page cache read their own spilled pages`() throws {
    try bench.commit(store(), "first")
    try bench.run(
      """
      PRAGMA cache_size = 3; CREATE TABLE big (a INTEGER PRIMARY KEY, b TEXT); BEGIN;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO big SELECT i, hex(randomblob(400)) FROM n;
      UPDATE big SET b = b || a; UPDATE big SET b = b || b; COMMIT;
      UPDATE big SET b = b || 'end';
      """)
    #expect(try bench.value("SELECT count(*) FROM big WHERE b LIKE '%end'") == "400")
    #expect(try bench.value("PRAGMA integrity_check") == "ok")
    try bench.run("VACUUM; DROP TABLE big; PRAGMA incremental_vacuum;")
    #expect(try bench.value("PRAGMA integrity_check") == "ok")
    #expect(try bench.secrets(store()) == ["first"])
  }
}

/// Access to a store with a system SQLite, which does not know the checksums.
@Suite struct SystemSQLiteTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func plainly(_ sql: String, _ path: String) -> Int32 {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let code = sqlite3_open(path, &handle)
    return code == SQLITE_OK ? sqlite3_exec(handle, sql, nil, nil, nil) : code
  }

  /// Returns a secret that needs new pages.
  private func secret(_ index: Int) -> String { String(repeating: "\(index) ", count: 1000) }

  private func end(_ page: Int, of store: StoreBench) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: store.database)).dropFirst(page * 4096).prefix(4096)
      .suffix(8)
  }

  @Test func `a system SQLite reads, checks and checkpoints the log of a killed process`()
    throws
  {
    let (store, copy) = (bench.store(), try StoreBench())
    for index in 0..<20 { try bench.commit(store, secret(index), owner: "home \(index)") }
    for file in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: bench.database + file, toPath: copy.database + file)
    }
    #expect(plainly("SELECT * FROM record; PRAGMA integrity_check", copy.database) == SQLITE_OK)
    #expect(!FileManager.default.fileExists(atPath: copy.database + "-wal"))
    let pages = try Data(contentsOf: URL(fileURLWithPath: copy.database)).count / 4096
    // The checksum of the first page, which was written with them, identifies new pages.
    #expect(try (1..<pages).contains { try end($0, of: copy) == Data(count: 8) })
    #expect(try end(0, of: copy) == Data("uncheckd".utf8))
    for index in 20..<40 {
      try bench.commit(copy.store(bench.key), secret(index), owner: "home \(index)")
    }
    #expect(try end(0, of: copy) != Data("uncheckd".utf8))
    for index in 0..<40 {
      #expect(
        try bench.secrets(copy.store(bench.key), owner: "home \(index)") == [secret(index)])
    }
  }

  @Test(arguments: ["VACUUM", "VACUUM INTO '%'", "PRAGMA wal_checkpoint(TRUNCATE)"])
  func `a store copied or vacuumed by a system SQLite is usable`(_ sql: String) throws {
    for index in 0..<20 { try bench.commit(bench.store(), "\(index)", owner: "home \(index)") }
    let copy = bench.directory.path + "/copy.db"
    #expect(plainly(sql.replacing("%", with: copy), bench.database) == SQLITE_OK)
    if FileManager.default.fileExists(atPath: copy) {
      try FileManager.default.removeItem(atPath: bench.database)
      try FileManager.default.moveItem(atPath: copy, toPath: bench.database)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: bench.database)
    }
    for index in 0..<20 {
      #expect(try bench.secrets(bench.store(), owner: "home \(index)") == ["\(index)"])
    }
  }

  @Test func `a database without checksums stays without them`() throws {
    try DatabaseEditor.run(OldLayout.first, on: bench.database)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: bench.database)
    for index in 0..<20 { try bench.commit(bench.store(), "\(index)", owner: "home \(index)") }
    let head = try Data(contentsOf: URL(fileURLWithPath: bench.database))
    #expect(head[20] == 0)
    #expect(try bench.secrets(bench.store(), owner: "home 7") == ["7"])
    try bench.commit(bench.store(), "sealed", owner: "other")
    #expect(try Data(contentsOf: URL(fileURLWithPath: bench.database))[20] == 0)
  }
}
