// SPDX-License-Identifier: MIT
// Named values that describe a store, kept in its table `note`, and the removal of deleted data from its files.

extension SQLiteConnection {
  /// The maximum size of a database that is rewritten as a whole, in pages: 256 MiB.
  private static let maximumVacuumPages: Int64 = 65_536

  /// Removes deleted data from the write-ahead log, where it remains until the log restarts.
  ///
  /// Never waits for other processes.
  ///
  /// A database of the first layout is rewritten, so that it can shrink from then on.
  func wipeDeletedData() {
    if (try? integer("PRAGMA auto_vacuum")) == 0,
      let pages = try? integer("PRAGMA page_count"), pages <= SQLiteConnection.maximumVacuumPages
    {
      try? execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
    }
    try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Returns the value of a note; nil if there is none.
  func note(_ name: String) throws(SQLiteFailure) -> String? {
    var value: String?
    try query("SELECT value FROM note WHERE name = ?", [.text(name)]) { row in
      value = row.text(0)
      return false
    }
    return value
  }

  /// Stores a note, replacing an older one; nil removes it.
  func note(_ name: String, _ value: String?) throws(SQLiteFailure) {
    guard let value else { return try query("DELETE FROM note WHERE name = ?", [.text(name)]) }
    try query(
      "INSERT INTO note (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }
}
