// SPDX-License-Identifier: MIT
// Damaged rows: a reader reports them, and a writer quarantines them.

import TesseraWire

/// The damaged rows that a transaction has found.
final class DamagedRows {
  private let connection: SQLiteConnection
  /// The current time for a writer, which quarantines damaged rows; nil for a reader, which changes nothing.
  private let now: Instant?
  /// The number of damaged rows.
  private(set) var count = 0

  init(_ connection: SQLiteConnection, now: Instant?) {
    self.connection = connection
    self.now = now
  }

  /// Counts a damaged row.
  ///
  /// A writer moves it to the table `aside`, so that its bytes are kept and its key becomes free.
  func add(_ key: Int64) throws(SQLiteFailure) {
    count += 1
    guard let now else { return }
    try connection.query(
      """
      INSERT INTO aside (key, type, owner, key_id, since, body)
      SELECT key, type, owner, key_id, ?, body FROM record WHERE key = ?
      """, [.integer(now.secondsSince1970), .integer(key)])
    try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
    try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
  }
}
