// SPDX-License-Identifier: MIT
// The layout version of a database: the supported versions and the upgrade of an old one.

import TesseraEngine

/// The version of a layout, stored as the database's `user_version`: 1000 times the major version, plus the minor one.
///
/// A minor version may add tables, record types, and columns that are nullable or have a default. A version that does
/// not know them ignores and keeps them. The first layout had the number 1.
struct SQLiteLayout: Equatable {
  /// The value of `user_version`; 0 before the tables are created.
  let number: Int64

  /// The layout that this version writes.
  static let current = SQLiteLayout(number: 2000)
  /// The layout without encryption, and without the columns for keys and expiry times.
  static let first = SQLiteLayout(number: 1)
  /// A database without tables.
  static let none = SQLiteLayout(number: 0)

  /// Whether the layout requires a newer version of Tessera.
  var isTooNew: Bool { (SQLiteLayout.current.number / 1000 + 1) * 1000..<1_000_000 ~= number }

  /// Whether this version can use the layout, possibly after an upgrade.
  ///
  /// A number that no version writes is damage.
  var isKnown: Bool {
    number / 1000 == SQLiteLayout.current.number / 1000 || self == .first || self == .none
  }
}

extension SQLiteLayout {
  /// Returns the layout in the current transaction, and makes an older one readable as if it were the current one.
  ///
  /// Another process may have upgraded the database since the last transaction.
  @discardableResult
  static func detect(_ connection: SQLiteConnection) throws(SQLiteFailure) -> SQLiteLayout {
    let layout = SQLiteLayout(number: try connection.integer("PRAGMA user_version") ?? 0)
    guard layout != connection.layout else { return layout }
    guard !layout.isTooNew else { throw SQLiteFailure.tooNew }
    guard layout.isKnown else { throw SQLiteFailure.damaged("its version is not valid") }
    // A temporary view hides the table with the same name, and is stored in memory.
    for view in ["record", "seal", "note", "aside", "store"] {
      try connection.execute("DROP VIEW IF EXISTS temp.\(view)")
    }
    if layout == .first { try connection.execute(view) }
    connection.layout = layout
    return layout
  }

  /// Upgrades the database to the current layout, inside a write transaction.
  static func upgrade(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    let layout = try detect(connection)
    switch layout {
    case .none: try connection.execute(SQLiteSchema.tables)
    case .first: try connection.execute(SQLiteSchema.upgradeFromFirst)
    default: return
    }
    try detect(connection)
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
