// SPDX-License-Identifier: MIT
// The schema and the layout of the database.

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

/// The number of one commit.
struct CommitNumber {
  private let number: UInt64
  private let database: PersistentFileID?
  private let counters: ChangeCounters

  /// Increments the commit count of the database, inside the transaction of the commit.
  ///
  /// - Throws: Damage if the database has lost earlier commits.
  init(
    next connection: SQLiteConnection, _ counters: ChangeCounters, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = counters.commitCount
    let before = try connection.commits()
    database = connection.persistentID(location)
    guard !counters.hasLostCommits(before, of: database, since: known) else {
      throw SQLiteFailure.lostCommits
    }
    try connection.query("UPDATE store SET commits = commits + 1")
    number = before &+ 1
    self.counters = counters
  }

  /// Records in the change counter file that the commit is durable.
  ///
  /// Call it after the transaction has ended.
  func markDurable() { counters.count(number, of: database) }
}

/// The number of durable commits, read before the transaction of a reader starts.
struct RecordedCommits {
  private let count: CommitCount
  private let counters: ChangeCounters

  /// Creates a value from the change counter file; nil if the file contains no valid count.
  init?(_ counters: ChangeCounters) {
    guard let count = counters.commitCount else { return nil }
    self.count = count
    self.counters = counters
  }

  /// Whether the database had commits.
  ///
  /// A database without tables has then lost all of them.
  func hadCommits(_ location: StoreLocation) -> Bool {
    counters.hasLostCommits(0, of: PersistentFileID(at: location.database), since: count)
  }

  /// Whether the database has lost commits.
  ///
  /// Call it inside the transaction.
  func hasLostCommits(
    in connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) -> Bool {
    counters.hasLostCommits(
      try connection.commits(), of: connection.persistentID(location), since: count)
  }
}

extension SQLiteFailure {
  /// The write-ahead log was truncated or removed, or the checksum of its last frames does not match.
  static let lostCommits = SQLiteFailure.damaged("the latest commits are missing")
}

extension SQLiteConnection {
  /// The persistent identity of the open database file.
  ///
  /// It is read only once: no other file can get the same inode number while this file is open.
  fileprivate func persistentID(_ location: StoreLocation) -> PersistentFileID? {
    if file == nil { file = PersistentFileID(at: location.database) }
    return file
  }

  /// Returns the commit count stored in the database.
  fileprivate func commits() throws(SQLiteFailure) -> UInt64 {
    UInt64(clamping: try integer("SELECT commits FROM store") ?? 0)
  }
}
