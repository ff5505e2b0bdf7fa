// SPDX-License-Identifier: MIT
// Stores of other layouts: the first two, as their versions created them, and a newer minor one.

import CSQLite
import TesseraCache
import TesseraWire

/// Databases of other layouts.
enum OldLayout {
  /// The original statements of the first layout.
  static let first = """
    PRAGMA journal_mode = WAL;
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

  /// The original statements of the second layout for its records.
  private static let recordsOfSecond = """
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
    CREATE INDEX record_expires ON record (expires) WHERE expires IS NOT NULL;
    """

  /// A statement that fails unless the database has the second layout, as its versions check in every transaction.
  static let requiresSecond = """
    SELECT json('the layout is newer')
      WHERE (SELECT user_version FROM pragma_user_version) <> 2000;
    """

  /// Converts a store of the current layout to the second one, with the same rows.
  static let second = """
    DROP INDEX record_account;
    DROP INDEX record_expires;
    DROP INDEX scope_record;
    ALTER TABLE record RENAME TO record_3;
    ALTER TABLE scope RENAME TO scope_3;
    \(recordsOfSecond)
    INSERT INTO record (key, type, owner, key_id, expires, body)
      SELECT name, type, owner, key_id, expires, body FROM record_3;
    INSERT INTO scope (name, record)
      SELECT scope_3.name, record_3.name FROM scope_3 JOIN record_3 ON key = record;
    DROP TABLE scope_3;
    DROP TABLE record_3;
    PRAGMA user_version = 2000;
    """

  /// The additions of a hypothetical newer minor version: a column, a table, an index and a record type.
  static let newerMinor = """
    ALTER TABLE record ADD COLUMN used INTEGER;
    ALTER TABLE scope ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE usage (name TEXT PRIMARY KEY, count INTEGER);
    INSERT INTO usage VALUES ('calls', 7);
    CREATE INDEX record_used ON record (used);
    PRAGMA user_version = 3001;
    """

  /// Inserts a record in the unencrypted form of the first layout.
  static func row(_ record: CacheRecord) -> String {
    let key = record.key
    let body = JSONValue.object(record.members).serialized.replacing("'", with: "''")
    var sql = """
      INSERT OR REPLACE INTO record (key, type, owner, body) VALUES
        (\(key.number), \(key.type), \(RecordKey.number(of: record.owner ?? "")), CAST('\(body)' AS BLOB));
      DELETE FROM scope WHERE record = \(key.number);
      """
    for scope in (record.accessToken?.scopes.significant.texts.map(Optional.some) ?? []) + [nil]
    where record.accessToken != nil {
      let name = RecordKey.number(of: (record.owner ?? "") + "\n" + (scope ?? ""))
      sql += "INSERT OR IGNORE INTO scope (name, record) VALUES (\(name), \(key.number));\n"
    }
    return sql
  }
}
