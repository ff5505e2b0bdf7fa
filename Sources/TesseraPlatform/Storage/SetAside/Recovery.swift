// SPDX-License-Identifier: MIT
// What can still be read of a damaged database, row by row, copied into a new one.

import CSQLite
import TesseraEngine

/// Copies every row that can be read from one database into another one.
///
/// Bodies stay sealed as they are, under the same numbers of keys: it takes no key to save them. A row whose body is
/// damaged is copied as well: whoever needs it is told.
final class Recovery {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// Throws when the call has to end: then nothing is replaced, and the next call begins again.
  private let checkLimits: () throws(TesseraError) -> Void
  /// The keys of the records that were saved.
  private var saved: Set<Int64> = []
  /// What the new database said, or what ended the call; what the damaged one says ends one way of reading, no more.
  private var problem: SQLiteFailure?
  /// Rows of keys that are not as they were written cannot be opened by anybody.
  private var keyIDs: Set<Int64> = [0]

  /// A salvage inside a transaction of each, within the limits of the call that has the lock of the store.
  init(
    from source: SQLiteConnection, to target: SQLiteConnection,
    checkLimits: @escaping () throws(TesseraError) -> Void
  ) {
    self.source = source
    self.target = target
    self.checkLimits = checkLimits
  }

  /// Copies what can be read.
  ///
  /// - Returns: how many records that was.
  /// - Throws: what the new database said, or what ended the call.
  func run() throws(SQLiteFailure) -> Int {
    _ = try? SQLiteLayout.follow(source)
    copyKeys()
    if !copyRecords(Recovery.upwards, .min ... .max) { copyAroundDamage() }
    copyScopes()
    copyAside()
    if let problem { throw problem }
    return saved.count
  }

  private func copyKeys() {
    var seals: [KeyRow] = []
    read("SELECT id, source, name, salt, proof FROM seal") { row in
      let seal = KeyRow(row)
      if seal.isIntact { seals.append(seal) }
    }
    for seal in seals {
      keyIDs.insert(seal.id)
      write { () throws(SQLiteFailure) in try target.insert(seal) }
    }
    guard let attempts = try? source.attempts() else { return }
    write { () throws(SQLiteFailure) in try target.remember(attempts) }
  }

  /// Copies the records whose keys lie in a range, until a page cannot be read.
  ///
  /// - Returns: whether it came to the end.
  private func copyRecords(_ statement: StaticString, _ keys: ClosedRange<Int64>) -> Bool {
    read(statement, [.integer(keys.lowerBound), .integer(keys.upperBound)]) { self.copy($0) }
  }

  /// Copies what lies around pages that cannot be read.
  ///
  /// Keys are hashes, so they lie evenly, and a range of them is a fourth of a page.
  private func copyAroundDamage() {
    let pages = UInt64(clamping: (try? source.integer("PRAGMA page_count")) ?? 0)
    let width = Int64(clamping: UInt64.max / min(max(pages &* 4, 256), 262_144))
    var first = Int64.min
    while problem == nil {
      let (sum, overflow) = first.addingReportingOverflow(width)
      let last = overflow ? Int64.max : sum
      if !copyRecords(Recovery.upwards, first...last) {
        _ = copyRecords(Recovery.downwards, first...last)
      }
      guard last < .max else { return }
      first = last + 1
      // Where nothing can be read, nothing is written either.
      goOn { () throws(SQLiteFailure) in try SQLiteFailure.wrapping(checkLimits) }
    }
  }

  private func copy(_ row: SQLiteRow) {
    let key = row.integer(0)
    guard keyIDs.contains(row.integer(3)), !saved.contains(key) else { return }
    write { () throws(SQLiteFailure) in
      try target.query(
        "INSERT INTO record (key, type, owner, key_id, expires, body) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .integer(key), .integer(row.integer(1)), row.value(2), .integer(row.integer(3)),
          row.value(4), .blob(row.bytes(5)),
        ])
      saved.insert(key)
    }
  }

  private func copyScopes() {
    read("SELECT name, record FROM scope") { row in
      guard self.saved.contains(row.integer(1)) else { return }
      self.write { () throws(SQLiteFailure) in
        try self.target.query(
          "INSERT OR IGNORE INTO scope (name, record) VALUES (?, ?)",
          [.integer(row.integer(0)), .integer(row.integer(1))])
      }
    }
  }

  private func copyAside() {
    read("SELECT key, type, owner, key_id, since, body FROM aside") { row in
      self.write { () throws(SQLiteFailure) in
        try self.target.query(
          "INSERT INTO aside (key, type, owner, key_id, since, body) VALUES (?, ?, ?, ?, ?, ?)",
          [
            .integer(row.integer(0)), .integer(row.integer(1)), row.value(2),
            .integer(row.integer(3)), .integer(row.integer(4)), .blob(row.bytes(5)),
          ])
      }
    }
  }

  @discardableResult
  private func read(
    _ statement: StaticString, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) -> Void
  ) -> Bool {
    do throws(SQLiteFailure) {
      try source.query(statement, values) { row in
        body(row)
        return problem == nil
      }
      return true
    } catch {
      return false
    }
  }

  private func write(_ body: () throws(SQLiteFailure) -> Void) {
    goOn { () throws(SQLiteFailure) in
      try SQLiteFailure.wrapping(checkLimits)
      do throws(SQLiteFailure) {
        try body()
      } catch {
        // A row that the tables do not take is none that anybody wrote.
        guard error.code == SQLITE_CONSTRAINT else { throw error }
      }
    }
  }

  /// Does something, unless there was a problem before.
  private func goOn(_ body: () throws(SQLiteFailure) -> Void) {
    guard problem == nil else { return }
    do throws(SQLiteFailure) { try body() } catch { problem = error }
  }

  private static let upwards: StaticString =
    """
    SELECT key, type, owner, key_id, expires, body FROM record WHERE key BETWEEN ? AND ?
    ORDER BY key
    """
  private static let downwards: StaticString =
    """
    SELECT key, type, owner, key_id, expires, body FROM record WHERE key BETWEEN ? AND ?
    ORDER BY key DESC
    """
}
