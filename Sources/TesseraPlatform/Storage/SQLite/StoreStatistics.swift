// SPDX-License-Identifier: MIT
// Statistics of a database, for diagnostics.

import CSQLite
import TesseraEngine

/// The statistics of a database.
///
/// Use it inside a transaction.
struct StoreStatistics {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Adds the size, the number of records and the key source to `info`.
  func describe(_ info: inout StoreInfo) throws(SQLiteFailure) {
    let layout = try SQLiteLayout.detect(connection)
    info.layoutVersion = Int(layout.number)
    (info.fileBytes, info.bytes) = try connection.bytes()
    guard layout != .none else {
      info.state = .empty
      return
    }
    let records = try records()
    info.records = records
    info.state = try connection.integer("SELECT 1 FROM record LIMIT 1") == nil ? .empty : .usable
    info.attempts = try connection.attempts()
    let source = try connection.currentKeyRow().map(\.source)
    info.keySource = source.flatMap(KeySource.init)
    info.protection = StoreInfo.Protection(keySource: source)
  }

  private func records() throws(SQLiteFailure) -> StoreInfo.Records {
    var records = StoreInfo.Records()
    try connection.query("SELECT type, count(*) FROM record GROUP BY type") { row in
      let count = Int(row.integer(1))
      switch row.integer(0) {
      case 1000...1999: records.accounts += count
      case 2001, 2007: records.accessTokens += count
      case 2002, 2005, 2008, 2009: records.refreshTokens += count
      case 2003, 2006: records.idTokens += count
      default: records.others += count
      }
      return true
    }
    records.damaged = Int(try connection.integer("SELECT count(*) FROM aside") ?? 0)
    return records
  }
}

extension SQLiteConnection {
  /// Stores the key sources that failed when the key of the store was created.
  func storeAttempts(_ attempts: [KeyAttempt]) throws(SQLiteFailure) {
    let lines = attempts.map { "\($0.source.rawValue) \($0.problem.rawValue) \($0.reason)" }
    try note("attempts", lines.isEmpty ? nil : lines.joined(separator: "\n"))
  }

  /// Returns the key sources that failed when the key of the store was created.
  func attempts() throws(SQLiteFailure) -> [KeyAttempt] {
    guard let text = try note("attempts") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let source = KeySource(rawValue: parts[0]),
        let problem = KeyAttempt.Problem(rawValue: parts[1])
      else { return nil }
      return KeyAttempt(source: source, problem: problem, reason: parts[2])
    }
  }
}
