// SPDX-License-Identifier: MIT
// Remarks of a store about itself, by name, and what is left of rows that are gone.

extension SQLiteConnection {
  /// The largest database that is rewritten as a whole, in pages: 256 MiB.
  private static let largestRewrite: Int64 = 65_536

  /// Removes what was replaced from the log, where it lies until the log begins anew; nobody waits for that.
  ///
  /// A database of the first layout is rewritten, so that it can shrink from then on.
  func clearRemains() {
    if (try? integer("PRAGMA auto_vacuum")) == 0,
      let pages = try? integer("PRAGMA page_count"), pages <= SQLiteConnection.largestRewrite
    {
      try? execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
    }
    try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// A remark; nil for none.
  func note(_ name: String) throws(SQLiteFailure) -> String? {
    var value: String?
    try query("SELECT value FROM note WHERE name = ?", [.text(name)]) { row in
      value = row.text(0)
      return false
    }
    return value
  }

  /// Writes a remark in place of an older one; nil removes it.
  func note(_ name: String, _ value: String?) throws(SQLiteFailure) {
    guard let value else { return try query("DELETE FROM note WHERE name = ?", [.text(name)]) }
    try query(
      "INSERT INTO note (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }
}
