// SPDX-License-Identifier: MIT
// The tables of a store, their version, and what a connection is set to.

internal import TesseraEngine

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
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2005, 2008, 2009);
    CREATE TABLE scope (
      name INTEGER, record INTEGER, PRIMARY KEY (name, record)) STRICT, WITHOUT ROWID;
    CREATE INDEX scope_record ON scope (record);
    PRAGMA application_id = 1413829459;
    PRAGMA user_version = 1;
    """

  /// Prepares a connection: refuses what is not a store or too new, makes the tables of an empty one.
  static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
    try connection.execute(settings)
    if try connection.integer("PRAGMA user_version") == version { return }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(SQLiteFailure) {
      // Somebody else may have made the tables while we waited.
      if try connection.integer("PRAGMA user_version") == 0,
        try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      {
        try connection.execute(tables)
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// Throws unless the database is a store that this version can use.
  static func check(_ connection: SQLiteConnection, path: String) throws(TesseraError) {
    let found = try? connection.integer("PRAGMA user_version")
    let application = try? connection.integer("PRAGMA application_id")
    guard application == applicationID else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "\(path) is a database of another program. Choose another group or store_directory.")
    }
    guard let found, found <= version else {
      throw TesseraError(
        .fixStorage, .storeTooNew,
        "\(path) was written by a newer version of Tessera. Update this program; nothing was changed."
      )
    }
  }
}
