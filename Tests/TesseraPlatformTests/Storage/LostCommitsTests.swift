// SPDX-License-Identifier: MIT
// Databases that have lost commits: detected by the recorded commit count, and distinguished from copies.

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

@Suite struct CommitCountTests {
  private let one = PersistentFileID(number: 1, birth: 10)
  private let other = PersistentFileID(number: 1, birth: 11)

  @Test func `a commit count is parsed back, and rejected if a word has changed`() {
    let count = CommitCount(commits: 7, database: one, counterFile: other)
    let words = count.words(3)
    #expect(CommitCount(words, identity: 3) == count)
    #expect(CommitCount(words, identity: 4) == nil)
    #expect(CommitCount([0, 0, 0, 0, 0], identity: 3) == nil)
    #expect(CommitCount([], identity: 3) == nil)
    for index in words.indices {
      var changed = words
      changed[index] ^= 1 << 30
      #expect(CommitCount(changed, identity: 3) == nil)
    }
  }

  @Test func `a commit count above the maximum is stored as the maximum`() {
    let words = CommitCount(commits: .max, database: one, counterFile: other).words(3)
    #expect(CommitCount(words, identity: 3)?.commits == CommitCount.largest)
  }

  @Test func `a commit count is valid for the same file, and if both files were moved`() {
    let fresh = PersistentFileID(number: 5, birth: 50)
    let count = CommitCount(commits: 7, database: one, counterFile: fresh)
    #expect(count.isValid(for: one, counterFile: fresh))
    #expect(!count.isValid(for: other, counterFile: fresh))
    #expect(count.isValid(for: other, counterFile: PersistentFileID(number: 6, birth: 60)))
  }
}

@Suite struct LostCommitsTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func list(_ store: SQLiteStore) throws -> Int {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    return try store.snapshot(selection, within: .none).records.count
  }

  private func fill(_ numbers: Range<Int>) throws {
    let store = bench.store()
    for number in numbers { try bench.commit(store, "\(number)", owner: "home \(number)") }
  }

  private func url(_ file: String) -> URL {
    URL(fileURLWithPath: "\(bench.directory.path)/group.\(file)")
  }

  private func expectLoss(_ bench: StoreBench, _ key: FixedKey, lost: String) throws {
    expect(.cacheDamaged) { _ = try list(bench.store(key)) }
    let snapshot = try bench.snapshot(bench.store(key), owner: lost)
    guard case .damaged = snapshot.condition else {
      Issue.record("the loss is not reported")
      return
    }
  }

  @Test func `a truncated log is reported as a loss, and its remaining commits are used`() throws {
    let copy = try bench.copyWhileOpen()
    let path = URL(fileURLWithPath: copy.directory.path + "/group.db-wal")
    let log = try Data(contentsOf: path)
    try log.prefix(log.count - 100).write(to: path)
    try expectLoss(copy, bench.key, lost: "home 2")
    #expect(try bench.secrets(copy.store(bench.key), owner: "home 1") == ["1"])
  }

  @Test func `older contents in the same file are reported as a loss`() throws {
    try fill(0..<2)
    let older = try Data(contentsOf: url("db"))
    try fill(2..<3)
    try older.write(to: url("db"), options: [])
    try expectLoss(bench, bench.key, lost: "home 2")
    #expect(try bench.secrets(bench.store(), owner: "home 1") == ["1"])
  }

  @Test func `a database restored from a copy is accepted, and commits are counted from there`()
    throws
  {
    try fill(0..<2)
    let copy = bench.directory.path + "/copy"
    try FileManager.default.copyItem(atPath: bench.database, toPath: copy)
    try fill(2..<4)
    try FileManager.default.removeItem(atPath: bench.database)
    try FileManager.default.moveItem(atPath: copy, toPath: bench.database)
    #expect(try list(bench.store()) == 2)
    #expect(try bench.snapshot(bench.store(), owner: "home 3").condition == .usable)
    try fill(4..<5)
    #expect(try list(bench.store()) == 3)
    let older = try Data(contentsOf: url("db"))
    try fill(5..<6)
    try older.write(to: url("db"), options: [])
    try expectLoss(bench, bench.key, lost: "home 5")
  }

  @Test func `a change counter file that is stale, invalid or missing reports no loss`() throws {
    try fill(0..<2)
    let behind = try Data(contentsOf: url("fresh"))
    try fill(2..<3)
    var spoiled = try Data(contentsOf: url("fresh"))
    spoiled[4032 + 5] ^= 1
    for content in [behind, spoiled, Data()] {
      try content.write(to: url("fresh"), options: [])
      #expect(try list(bench.store()) == 3)
      #expect(try bench.snapshot(bench.store(), owner: "nobody").condition == .usable)
    }
    try FileManager.default.removeItem(at: url("fresh"))
    #expect(try list(bench.store()) == 3)
    try fill(3..<4)
    #expect(try list(bench.store()) == 4)
  }

  @Test func `a commit without changes is not counted`() throws {
    try fill(0..<2)
    let before = try bench.value("SELECT commits FROM store")
    try bench.store().checkWritable(within: .none)
    try bench.commit(bench.store(), "1", owner: "home 1")
    #expect(try bench.value("SELECT commits FROM store") == before)
    #expect(before == "2")
  }
}
