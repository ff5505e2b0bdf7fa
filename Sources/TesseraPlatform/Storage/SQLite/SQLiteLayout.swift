// SPDX-License-Identifier: MIT
// The version of a database's layout: which ones this version of Tessera reads, and how an old one is brought up.

import TesseraEngine

/// The version of a layout, as the database's `user_version` says it: 1000 times the major one, plus the minor one.
///
/// A minor version adds columns that are nullable or have a default, tables, and kinds of records. A version that does
/// not know them reads and writes beside them. The first layout was 1.
struct SQLiteLayout: Equatable {
  /// What `user_version` says; 0 before the tables are made.
  let number: Int64

  /// What this version writes.
  static let current = SQLiteLayout(number: 2000)
  /// Before there were keys: records in clear, without what tells their key and their expiry.
  static let first = SQLiteLayout(number: 1)
  /// No tables yet.
  static let none = SQLiteLayout(number: 0)

  /// Whether only a newer version of Tessera can use it.
  var isTooNew: Bool { (SQLiteLayout.current.number / 1000 + 1) * 1000..<1_000_000 ~= number }

  /// Whether this version can use it, perhaps after it was brought up; a number that nobody writes is damage.
  var isKnown: Bool {
    number / 1000 == SQLiteLayout.current.number / 1000 || self == .first || self == .none
  }
}

extension SQLiteLayout {
  /// The layout as it is in this transaction; a connection to an older one sees it as if it were the current one.
  ///
  /// Another process may have brought it up since the last transaction.
  @discardableResult
  static func follow(_ connection: SQLiteConnection) throws(SQLiteFailure) -> SQLiteLayout {
    let layout = SQLiteLayout(number: try connection.integer("PRAGMA user_version") ?? 0)
    guard layout != connection.layout else { return layout }
    guard !layout.isTooNew else { throw SQLiteFailure.tooNew }
    guard layout.isKnown else { throw SQLiteFailure.damaged("its version is none") }
    // A temporary view is found before the table that it stands for, and lies in memory.
    for view in ["record", "seal", "note", "aside", "store"] {
      try connection.execute("DROP VIEW IF EXISTS temp.\(view)")
    }
    if layout == .first { try connection.execute(view) }
    connection.layout = layout
    return layout
  }

  /// Brings the database up to the current layout, inside a write transaction.
  static func bringUp(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    let layout = try follow(connection)
    switch layout {
    case .none: try connection.execute(SQLiteSchema.tables)
    case .first: try connection.execute(SQLiteSchema.fromFirst)
    default: return
    }
    try follow(connection)
  }

  private static let view = """
    CREATE TEMP VIEW record AS
      SELECT key, type, owner, 0 AS key_id, NULL AS expires, body FROM main.record;
    CREATE TEMP VIEW seal AS
      SELECT 0 AS id, '' AS source, '' AS name, x'' AS salt, x'' AS proof WHERE 0;
    CREATE TEMP VIEW note AS SELECT '' AS name, '' AS value WHERE 0;
    CREATE TEMP VIEW aside AS
      SELECT 0 AS key, 0 AS type, 0 AS owner, 0 AS key_id, 0 AS since, x'' AS body WHERE 0;
    CREATE TEMP VIEW store AS SELECT identity, 0 AS commits FROM main.store;
    """
}
