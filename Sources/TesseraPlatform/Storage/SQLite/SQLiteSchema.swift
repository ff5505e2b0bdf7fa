// SPDX-License-Identifier: MIT
// The tables of a store, their version, and what a connection is set to.

import TesseraEngine

/// The layout of a store's database.
enum SQLiteSchema {
  /// "TESS", so that nobody else's database is taken for a store.
  static let applicationID: Int64 = 0x5445_5353

  /// What every connection is set to.
  ///
  /// FULL: a commit is on disk before it counts, so that a rotated refresh token survives a loss of power. The log
  /// keeps what a thousand pages take, which SQLite writes back at once, and twice that at most: making it longer costs a
  /// commit a third of its time.
  static let settings = """
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 8388608;
    """

  /// Prepares a new database, before it has tables.
  static func begin(_ connection: SQLiteConnection, isRemote: Bool) throws(SQLiteFailure) {
    connection.reserveSums()
    try connection.execute(isRemote ? remoteBeginning : beginning)
  }

  /// What a database is set to before it has tables: pages that are not needed any more can be given back.
  private static let beginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    """

  /// The same for a store on another machine: a log would need memory that both share.
  private static let remoteBeginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = TRUNCATE;
    """

  /// The tables.
  ///
  /// Keys are the first eight bytes of a SHA-256: a point read costs a fifth of one by text.
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

  /// What brings the first layout up: its records are in clear, and nobody knows yet when they expire.
  static let fromFirst = """
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

  /// What layout 2 has beside layout 1; `aside` keeps rows that were damaged when something took their place.
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

  /// What a database file says about itself.
  struct Contents {
    let tables: Int64
    let applicationID: Int64
    let version: Int64

    /// Throws unless it is empty, or a store that this version can use.
    func check(_ path: String) throws(TesseraError) {
      if tables == 0, applicationID == 0 { return }
      guard applicationID == SQLiteSchema.applicationID else {
        throw TesseraError(
          .fixStorage, .storeUnavailable,
          "\(path) is a database of another program. Choose another group or store_directory.")
      }
      guard !SQLiteLayout(number: version).isTooNew else { throw TesseraError(.tooNew, path) }
    }
  }
}
