// SPDX-License-Identifier: MIT
// The tables of a store, their version, and what a connection is set to.

import TesseraEngine

/// The layout of a store's database.
enum SQLiteSchema {
  /// The version of the layout; a store with a higher one was written by a newer Tessera.
  static let version: Int64 = 1

  /// "TESS", so that nobody else's database is taken for a store.
  static let applicationID: Int64 = 0x5445_5353

  /// What every connection is set to.
  ///
  /// FULL: a commit is on disk before it counts, so that a rotated refresh token survives a loss of power.
  static let settings = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    """

  /// The tables.
  ///
  /// Keys are the first eight bytes of a SHA-256: a point read costs a fifth of one by text.
  static let tables = """
    CREATE TABLE store (identity INTEGER NOT NULL) STRICT;
    INSERT INTO store VALUES (random());
    CREATE TABLE record (
      key INTEGER PRIMARY KEY, type INTEGER NOT NULL, owner INTEGER, body BLOB NOT NULL) STRICT;
    CREATE INDEX record_owner ON record (owner)
      WHERE owner IS NOT NULL AND type NOT IN (2001, 2007);
    CREATE INDEX record_account ON record (type)
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001);
    CREATE TABLE scope (
      name INTEGER, record INTEGER, PRIMARY KEY (name, record)) STRICT, WITHOUT ROWID;
    CREATE INDEX scope_record ON scope (record);
    PRAGMA application_id = 1413829459;
    PRAGMA user_version = 1;
    """

  /// What a database file says about itself; nothing is changed.
  static func contents(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Contents {
    // In one transaction: another process may be making the tables.
    try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
      Contents(
        tables: try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0,
        applicationID: try connection.integer("PRAGMA application_id") ?? 0,
        version: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// Sets a connection up, and makes the tables of a database that has none.
  static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    try connection.execute(settings)
    guard try contents(connection).tables == 0 else { return }
    try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      // Somebody else may have made the tables while we waited.
      if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
        try connection.execute(tables)
      }
    }
  }

  /// What a database file says about itself.
  struct Contents {
    let tables: Int64
    let applicationID: Int64
    let version: Int64

    /// Throws unless it is empty, or a store that this version can use.
    ///
    /// - Parameter wasEmptied: whether a file that is empty has held a store.
    func check(_ path: String, wasEmptied: Bool) throws(TesseraError) {
      if tables == 0, applicationID == 0 {
        guard wasEmptied else { return }
        throw TesseraError(
          .fixStorage, .cacheDamaged, "\(path) was emptied. Remove it to start anew.")
      }
      guard applicationID == SQLiteSchema.applicationID else {
        throw TesseraError(
          .fixStorage, .storeUnavailable,
          "\(path) is a database of another program. Choose another group or store_directory.")
      }
      guard version <= SQLiteSchema.version else {
        throw TesseraError(
          .fixStorage, .storeTooNew,
          "\(path) was written by a newer version of Tessera. Update this program; nothing was changed."
        )
      }
    }
  }
}
