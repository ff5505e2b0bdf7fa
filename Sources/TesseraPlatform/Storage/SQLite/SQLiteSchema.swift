// SPDX-License-Identifier: MIT
// The tables of a store, their version and the settings of connections.

import TesseraEngine

/// The schema of a store's database.
enum SQLiteSchema {
  /// "TESS", which distinguishes a store from databases of other applications.
  static let applicationID: Int64 = 0x5445_5353

  /// The settings of every connection.
  ///
  /// `synchronous = FULL` makes each commit durable, so that a rotated refresh token survives a power failure. SQLite
  /// checkpoints the log after 1,000 pages. The log file then keeps up to 8 MiB, because extending it would make a
  /// commit a third slower.
  static let settings = """
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 8388608;
    """

  /// Prepares a new database, before its tables are created.
  static func begin(_ connection: SQLiteConnection, isRemote: Bool) throws(SQLiteFailure) {
    connection.reserveChecksums()
    try connection.execute(isRemote ? remoteBeginning : beginning)
  }

  /// The settings of a new database: a write-ahead log, and free pages that can be returned to the file system.
  private static let beginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    """

  /// The settings of a new database on another machine, where a write-ahead log would need shared memory.
  private static let remoteBeginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = TRUNCATE;
    """

  /// The tables.
  ///
  /// Keys are the first eight bytes of a SHA-256, because a lookup by integer takes a fifth of the time of a lookup by
  /// text.
  static let tables = """
    CREATE TABLE store (
      identity INTEGER NOT NULL, commits INTEGER NOT NULL DEFAULT 0) STRICT;
    INSERT INTO store (identity) VALUES (random());
    CREATE TABLE record (
      key INTEGER PRIMARY KEY, type INTEGER NOT NULL, owner INTEGER,
      key_id INTEGER NOT NULL DEFAULT 0, expires INTEGER, body BLOB NOT NULL) STRICT;
    CREATE INDEX record_owner ON record (owner)
      WHERE owner IS NOT NULL AND type NOT IN (2001, 2007);
    CREATE INDEX record_account ON record (type)
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001);
    CREATE TABLE scope (
      name INTEGER, record INTEGER, PRIMARY KEY (name, record)) STRICT, WITHOUT ROWID;
    CREATE INDEX scope_record ON scope (record);
    PRAGMA application_id = 1413829459;
    """ + additions

  /// The upgrade from the first layout: its records are unencrypted and have no expiry column.
  static let upgradeFromFirst = """
    DROP VIEW IF EXISTS temp.record;
    DROP VIEW IF EXISTS temp.seal;
    DROP VIEW IF EXISTS temp.note;
    DROP VIEW IF EXISTS temp.aside;
    DROP VIEW IF EXISTS temp.store;
    ALTER TABLE store ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE record ADD COLUMN key_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE record ADD COLUMN expires INTEGER;
    UPDATE record SET expires = max(
        ifnull(CAST(json_extract(CAST(body AS TEXT), '$.expires_on') AS INTEGER), 0),
        ifnull(CAST(json_extract(CAST(body AS TEXT), '$.extended_expires_on') AS INTEGER), 0))
      WHERE type IN (2001, 2007) AND json_valid(CAST(body AS TEXT));
    """ + additions

  /// The additions of layout 2 to layout 1.
  ///
  /// The table `aside` keeps damaged rows that were replaced.
  private static let additions = """

    CREATE TABLE seal (
      id INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL,
      proof BLOB NOT NULL) STRICT;
    CREATE INDEX record_expires ON record (expires) WHERE expires IS NOT NULL;
    CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE aside (
      key INTEGER NOT NULL, type INTEGER NOT NULL, owner INTEGER, key_id INTEGER NOT NULL,
      since INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    CREATE INDEX aside_owner ON aside (owner);
    CREATE INDEX aside_key ON aside (key);
    PRAGMA user_version = 2000;
    """

  /// Reads the identifying values of a database file, without changing it.
  static func contents(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Contents {
    // Use one transaction, because another process may be creating the tables.
    try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
      Contents(
        tables: try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0,
        applicationID: try connection.integer("PRAGMA application_id") ?? 0,
        version: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// The identifying values of a database file.
  struct Contents {
    let tables: Int64
    let applicationID: Int64
    let version: Int64

    /// Checks that the database is empty or a store that this version can use.
    ///
    /// - Throws: An error for a database of another application, or of a newer layout.
    func check(_ path: String) throws(TesseraError) {
      if tables == 0, applicationID == 0 { return }
      guard applicationID == SQLiteSchema.applicationID else {
        throw TesseraError(
          .fixStorage, .storeUnavailable,
          "\(path) is a database of another program. Choose another store.group or store.directory."
        )
      }
      guard !SQLiteLayout(number: version).isTooNew else { throw TesseraError(.tooNew, path) }
    }
  }
}
