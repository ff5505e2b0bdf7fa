// SPDX-License-Identifier: MIT
// Concurrent writers of two layouts lose no records and hide no newer token. `make test-layouts` runs them longer.

import Foundation
import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct TwoLayoutsTests {
  /// The number of commits of each of the three writers.
  private static let commits =
    ((ProcessInfo.processInfo.environment["OPERATIONS"].flatMap { Int($0) } ?? 600) + 2) / 3
  private static let busy: Set<Int32> = [5, 6]
  /// The account with the token that all writers replace in turn.
  private static let shared = "shared"

  /// The commits so far, and the detected problems.
  private final class Ledger: Sendable {
    let numbers = SpinLock<[String: Int]>([:])
    let usedByNewer = Atomic(0)
    let writersAtWork = Atomic(3)
    let reads = Atomic(0)
    let problems = SpinLock<[String]>([])
    /// Serializes replacements of the shared token, so that the newest one is known.
    ///
    /// A lock of the system, because ThreadSanitizer does not support waiting for a `Mutex`.
    let turn = NSLock()
    let newest = Atomic(0)

    func number(of owner: String) -> Int { numbers.withLock { $0[owner] ?? 0 } }

    func run(_ body: () throws -> Void) {
      do { try body() } catch { problems.withLock { $0.append("\(error)") } }
    }
  }

  private let bench: StoreBench
  private let ledger = Ledger()

  init() throws {
    bench = try StoreBench()
  }

  @Test func `concurrent writers of two layouts lose no records and hide no newer token`() throws {
    let stores = (0..<3).map { _ in bench.store(PlaintextProtection()) }
    try bench.commit(stores[0], "0", owner: TwoLayoutsTests.shared)
    try bench.run(OldLayout.newerMinor)
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      ledger.run {
        switch index {
        case 0, 1:
          try write("ours \(index)") { try bench.commit(stores[index], "\($1)", owner: $0) }
        case 2: try write("newer") { try writeAsNewer($0, $1) }
        default: try read(stores[2])
        }
      }
    }
    #expect(ledger.problems.withLock { $0 } == [])
    for (owner, number) in ledger.numbers.withLock({ $0 }) {
      #expect(try bench.secrets(bench.store(PlaintextProtection()), owner: owner) == ["\(number)"])
    }
    let each = TwoLayoutsTests.commits
    #expect(try bench.value("PRAGMA user_version") == "3001")
    #expect(try bench.value("PRAGMA integrity_check") == "ok")
    #expect(try bench.value("SELECT count(*) FROM record WHERE type = 7001") == "\(each)")
    #expect(try bench.value("SELECT count FROM usage") == "\(7 + each)")
    let key = CacheRecord.credential(StoreBench.token("", TwoLayoutsTests.shared)).key.number
    let used = ledger.usedByNewer.load(ordering: .sequentiallyConsistent)
    #expect(try bench.value("SELECT used FROM record WHERE name = \(key)") == "\(used)")
    guard ProcessInfo.processInfo.environment["OPERATIONS"] != nil else { return }
    print(
      "test-layouts: \(each * 3) commits of two layouts beside \(ledger.reads.load(ordering: .relaxed)) reads, 0 lost, 0 hidden"
    )
  }

  // After the conversion, the older version has to report an error.
  @Test func `a conversion beside writers of the older layout loses no records`() throws {
    let each = min(TwoLayoutsTests.commits, 40)
    let rounds = max(TwoLayoutsTests.commits / each, 1)
    let refused = Atomic(0)
    for round in 0..<rounds {
      let bench = try StoreBench()
      let ours = bench.store(PlaintextProtection())
      try bench.commit(ours, "0", owner: TwoLayoutsTests.shared)
      try bench.run(OldLayout.second)
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        ledger.run {
          guard index == 0 else {
            let isRefused = try (1...each).contains {
              try writeAsOlder(bench, "older \(index)", $0) == nil
            }
            if isRefused { refused.add(1, ordering: .relaxed) }
            return
          }
          // The conversion is at another moment of the older writers in each round.
          for _ in 0..<(round % 8) * 400 { sched_yield() }
          for number in 1...each { try bench.commit(ours, "\(number)", owner: "ours") }
        }
      }
      let reader = bench.store(PlaintextProtection())
      #expect(try bench.secrets(reader, owner: "ours") == ["\(each)"])
      #expect(try bench.secrets(reader, owner: TwoLayoutsTests.shared) == ["0"])
      for index in 1...2 {
        let number = ledger.number(of: "\(bench.directory.path) older \(index)")
        let expected: Set<String> = number == 0 ? [] : ["\(number)"]
        #expect(try bench.secrets(reader, owner: "older \(index)") == expected)
      }
      #expect(try bench.value("PRAGMA user_version") == "3000")
      #expect(try bench.value("PRAGMA integrity_check") == "ok")
    }
    #expect(ledger.problems.withLock { $0 } == [])
    guard ProcessInfo.processInfo.environment["OPERATIONS"] != nil else { return }
    print(
      "test-layouts: \(rounds) conversions beside two older writers, \(refused.load(ordering: .relaxed)) of them refused, 0 lost"
    )
  }

  /// Commits as a version of the second layout would; returns nil if the store has been converted.
  private func writeAsOlder(_ bench: StoreBench, _ owner: String, _ number: Int) throws -> Int? {
    let token = CacheRecord.credential(StoreBench.token("\(number)", owner))
    let sql = """
      BEGIN IMMEDIATE;
      \(OldLayout.requiresSecond)
      INSERT INTO record (key, type, owner, key_id, body) VALUES (
        \(token.key.number), \(token.key.type), \(RecordKey.number(of: owner)), 0,
        CAST('\(JSONValue.object(token.members).serialized)' AS BLOB))
        ON CONFLICT (key) DO UPDATE SET body = excluded.body;
      COMMIT;
      """
    while true {
      do {
        try bench.run(sql)
        ledger.numbers.withLock { $0["\(bench.directory.path) \(owner)"] = number }
        return number
      } catch let failure as DatabaseEditor.Failure {
        if TwoLayoutsTests.busy.contains(failure.code) {
          sched_yield()
        } else if try bench.value("PRAGMA user_version") == "3000" {
          return nil
        } else {
          throw failure
        }
      }
    }
  }

  /// Replaces the writer's own token and the shared one alternately.
  private func write(_ owner: String, _ commit: (String, Int) throws -> Void) throws {
    defer { ledger.writersAtWork.subtract(1, ordering: .sequentiallyConsistent) }
    for round in 1...TwoLayoutsTests.commits {
      if round.isMultiple(of: 2) {
        try commit(owner, round)
        ledger.numbers.withLock { $0[owner] = round }
      } else {
        try ledger.turn.withLock {
          let number = ledger.newest.add(1, ordering: .sequentiallyConsistent).newValue
          try commit(TwoLayoutsTests.shared, number)
          ledger.numbers.withLock { $0[TwoLayoutsTests.shared] = number }
        }
      }
    }
  }

  /// Checks that every token is at least as new as one committed before the read.
  private func read(_ store: SQLiteStore) throws {
    while ledger.writersAtWork.load(ordering: .sequentiallyConsistent) > 0 {
      for owner in [TwoLayoutsTests.shared, "ours 0", "ours 1", "newer"] {
        let known = ledger.number(of: owner)
        let found = try bench.secrets(store, owner: owner).first.flatMap { Int($0) } ?? 0
        ledger.reads.add(1, ordering: .relaxed)
        guard found < known else { continue }
        ledger.problems.withLock { $0.append("\(owner): \(found) instead of \(known)") }
      }
    }
  }

  /// Returns the primary key of a refresh token.
  private static func rowKey(of record: CacheRecord) -> Int64 {
    let owner = RecordKey.number(of: record.owner ?? "") & Int64(-1) << 44
    return owner | record.key.number & (Int64(1) << 43 - 1)
  }

  /// Commits as a newer version would: with its own column, table and record type.
  private func writeAsNewer(_ owner: String, _ number: Int) throws {
    let token = CacheRecord.credential(StoreBench.token("\(number)", owner))
    let body = JSONValue.object(token.members).serialized
    let sql = """
      BEGIN IMMEDIATE;
      INSERT INTO record (key, name, type, owner, key_id, body, used) VALUES (
        \(TwoLayoutsTests.rowKey(of: token)), \(token.key.number), \(token.key.type),
        \(RecordKey.number(of: owner)), 0, CAST('\(body)' AS BLOB), \(number))
        ON CONFLICT (key) DO UPDATE SET body = excluded.body, used = excluded.used;
      INSERT INTO record (name, type, key_id, body) VALUES (0, 7001, 0, x'7b7d');
      UPDATE usage SET count = count + 1;
      COMMIT;
      """
    while true {
      do {
        try bench.run(sql)
        break
      } catch let failure as DatabaseEditor.Failure
        where TwoLayoutsTests.busy.contains(failure.code)
      {
        sched_yield()
      }
    }
    if owner == TwoLayoutsTests.shared {
      ledger.usedByNewer.store(number, ordering: .sequentiallyConsistent)
    }
  }
}
