// SPDX-License-Identifier: MIT
// Stores of other layouts: the first one, as its version created it, and a newer minor one.

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

  /// The additions of a hypothetical newer minor version: a column, a table, an index and a record type.
  static let newerMinor = """
    ALTER TABLE record ADD COLUMN used INTEGER;
    ALTER TABLE scope ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE usage (name TEXT PRIMARY KEY, count INTEGER);
    INSERT INTO usage VALUES ('calls', 7);
    CREATE INDEX record_used ON record (used);
    PRAGMA user_version = 2001;
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
