// SPDX-License-Identifier: MIT
// Rows that are there and do not open: a reader says so, a writer puts them aside.

import TesseraWire

/// The damaged rows that a transaction met.
final class SQLiteRowDamage {
  private let connection: SQLiteConnection
  /// When a writer puts rows aside; nil for a reader, which changes nothing.
  private let now: Instant?
  /// How many it met.
  private(set) var count = 0

  init(_ connection: SQLiteConnection, now: Instant?) {
    self.connection = connection
    self.now = now
  }

  /// Does what is to be done with a damaged row: its bytes stay, what takes its place is not hindered.
  func meet(_ key: Int64) throws(SQLiteFailure) {
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
