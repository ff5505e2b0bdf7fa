// SPDX-License-Identifier: MIT
// Databases that have lost their tables or later commits: reported, quarantined and created again.

import TesseraCache
import TesseraEngine
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct LostTablesTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func edit(_ bench: StoreBench, _ file: String, _ body: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: "\(bench.directory.path)/group.\(file)")
    var bytes = try Data(contentsOf: url)
    body(&bytes)
    try bytes.write(to: url, options: [])
  }

  /// Returns a copy of an open store with one changed byte in its log.
  private func copy(changed place: Int) throws -> StoreBench {
    let copy = try bench.copyWhileOpen()
    try edit(copy, "db-wal") { $0[place] ^= 1 }
    return copy
  }

  /// Checks that the loss is reported before and after a sign-in, which is stored, and that readable records are kept.
  private func expectLossAndSignIn(_ other: StoreBench, saves: Range<Int> = 0..<0) throws {
    var allAccounts = SnapshotSelection()
    allAccounts.allAccounts = true
    let key = bench.key
    expect(.cacheDamaged) {
      _ = try other.store(key).snapshot(allAccounts, within: .none)
    }
    #expect(try other.files().allSatisfy { !$0.contains("damaged-") })
    try other.commit(other.store(key), "new", owner: "home new")
    #expect(try other.secrets(other.store(key), owner: "home new") == ["new"])
    #expect(try other.files().contains { $0.contains("damaged-") && $0.hasSuffix(".db") })
    for number in saves {
      #expect(try other.secrets(other.store(key), owner: "home \(number)") == ["\(number)"])
    }
    guard case .damaged = try other.snapshot(other.store(key), owner: "home 2").condition else {
      Issue.record("the loss is not reported after the sign-in")
      return
    }
    // From here on it behaves like any other store.
    try other.commit(other.store(key), "next", owner: "home next")
    #expect(try other.files().filter { $0.hasSuffix("Z.db") }.count == 1)
  }

  @Test(arguments: [8, 24 + 16, 24 + 24 + 100, 24 + 2 * (24 + 4096) + 30])
  func `damage in the log frames that create the tables is a loss`(place: Int) throws {
    try expectLossAndSignIn(copy(changed: place))
  }

  @Test func `a deleted log is a loss`() throws {
    let copy = try bench.copyWhileOpen()
    try FileManager.default.removeItem(atPath: copy.directory.path + "/group.db-wal")
    try expectLossAndSignIn(copy)
  }

  @Test func `a truncated log is a loss, and a sign-in keeps the remaining records`() throws {
    let copy = try bench.copyWhileOpen()
    try edit(copy, "db-wal") { $0.removeLast(100) }
    try expectLossAndSignIn(copy, saves: 0..<2)
  }

  @Test func `a database that is emptied while it is open is a loss`() throws {
    let store = bench.store()
    for number in 0..<3 { try bench.commit(store, "\(number)", owner: "home \(number)") }
    try bench.run("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try bench.secrets(store) == [])
    // Keep the first page, as it is in an empty SQLite database.
    let empty = try StoreBench()
    try empty.run("PRAGMA journal_mode = WAL")
    let page = try Data(contentsOf: URL(fileURLWithPath: empty.database))
    try edit(bench, "db") { $0 = page }
    // A commit to the emptied database invalidates SQLite's page cache.
    try bench.run("PRAGMA user_version = 0")
    expect(.cacheDamaged) { _ = try bench.secrets(store) }
    try bench.commit(store, "new", owner: "home new")
    #expect(try bench.secrets(store, owner: "home new") == ["new"])
    #expect(try bench.secrets(bench.store(), owner: "home new") == ["new"])
  }

  @Test func `a new database next to an old change counter file is not a loss`() throws {
    try bench.commit(bench.store(), "old")
    try FileManager.default.removeItem(atPath: bench.database)
    #expect(try bench.snapshot(bench.store()).condition == .missing)
    try bench.run("PRAGMA journal_mode = WAL")
    #expect(try bench.snapshot(bench.store()).condition == .empty)
    try bench.commit(bench.store(), "new")
    #expect(try bench.secrets(bench.store()) == ["new"])
    #expect(try bench.files().allSatisfy { !$0.contains("damaged-") })
  }
}
