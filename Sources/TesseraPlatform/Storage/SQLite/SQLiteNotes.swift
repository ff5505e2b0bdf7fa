// SPDX-License-Identifier: MIT
// Remarks of a store about itself, by name.

extension SQLiteConnection {
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
