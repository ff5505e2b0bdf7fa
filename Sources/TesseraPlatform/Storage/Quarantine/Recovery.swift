// SPDX-License-Identifier: MIT
// Recovery of the readable rows of a damaged database into a new one.

import CSQLite
import TesseraEngine

/// The recovery of every readable row of a database into another one.
///
/// Bodies stay encrypted, with the same key IDs, so no key is needed. Rows with a damaged body are copied as well, and
/// reported when they are read.
final class Recovery {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// Throws if the call was cancelled or reached its deadline.
  ///
  /// Nothing is replaced then, and the next call starts over.
  private let checkLimits: () throws(TesseraError) -> Void
  /// The keys of the recovered records.
  private var saved: Set<Int64> = []
  /// The first error of the new database or of `checkLimits`.
  ///
  /// Errors of the damaged database only end one read.
  private var problem: SQLiteFailure?
  /// The IDs of intact keys.
  ///
  /// Rows with other keys cannot be decrypted any more.
  private var keyIDs: Set<Int64> = [0]

  /// Creates a recovery.
  ///
  /// Both databases must be in a transaction, and the caller must hold the store lock.
  init(
    from source: SQLiteConnection, to target: SQLiteConnection,
    checkLimits: @escaping () throws(TesseraError) -> Void
  ) {
    self.source = source
    self.target = target
    self.checkLimits = checkLimits
  }

  /// Copies all readable rows.
  ///
  /// - Returns: The number of records.
  /// - Throws: An error of the new database or of `checkLimits`.
  func run() throws(SQLiteFailure) -> Int {
    _ = try? SQLiteLayout.detect(source)
    copyKeys()
    if !copyRecords(Recovery.ascending, .min ... .max) { copyAroundDamage() }
    copyScopes()
    copyQuarantinedRows()
    if let problem { throw problem }
    return saved.count
  }

  private func copyKeys() {
    var rows: [KeyRow] = []
    read("SELECT id, source, name, salt, proof FROM seal") { row in
      let keyRow = KeyRow(row)
      if keyRow.isIntact { rows.append(keyRow) }
    }
    for row in rows {
      keyIDs.insert(row.id)
      write { () throws(SQLiteFailure) in try target.insert(row) }
    }
    guard let attempts = try? source.attempts() else { return }
    write { () throws(SQLiteFailure) in try target.storeAttempts(attempts) }
  }

  /// Copies the records with keys in a range, until a page is unreadable.
  ///
  /// - Returns: Whether the end of the range was reached.
  private func copyRecords(_ statement: StaticString, _ keys: ClosedRange<Int64>) -> Bool {
    read(statement, [.integer(keys.lowerBound), .integer(keys.upperBound)]) { self.copy($0) }
  }

  /// Copies the records around unreadable pages.
  ///
  /// Keys are hashes and so uniformly distributed. Each range covers about a quarter of a page.
  private func copyAroundDamage() {
    let pages = UInt64(clamping: (try? source.integer("PRAGMA page_count")) ?? 0)
    let width = Int64(clamping: UInt64.max / min(max(pages &* 4, 256), 262_144))
    var first = Int64.min
    while problem == nil {
      let (sum, overflow) = first.addingReportingOverflow(width)
      let last = overflow ? Int64.max : sum
      if !copyRecords(Recovery.ascending, first...last) {
        _ = copyRecords(Recovery.descending, first...last)
      }
      guard last < .max else { return }
      first = last + 1
      // If nothing is readable, nothing is written either: check the limits of the call here too.
      unlessFailed { () throws(SQLiteFailure) in try SQLiteFailure.wrapping(checkLimits) }
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

  private func copyQuarantinedRows() {
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
    unlessFailed { () throws(SQLiteFailure) in
      try SQLiteFailure.wrapping(checkLimits)
      do throws(SQLiteFailure) {
        try body()
      } catch {
        // A row that violates a constraint was not written by Tessera: skip it.
        guard error.code == SQLITE_CONSTRAINT else { throw error }
      }
    }
  }

  /// Runs `body`, unless an error occurred before.
  private func unlessFailed(_ body: () throws(SQLiteFailure) -> Void) {
    guard problem == nil else { return }
    do throws(SQLiteFailure) { try body() } catch { problem = error }
  }

  private static let ascending: StaticString =
    """
    SELECT key, type, owner, key_id, expires, body FROM record WHERE key BETWEEN ? AND ?
    ORDER BY key
    """
  private static let descending: StaticString =
    """
    SELECT key, type, owner, key_id, expires, body FROM record WHERE key BETWEEN ? AND ?
    ORDER BY key DESC
    """
}
