// SPDX-License-Identifier: MIT
// The records of a store in SQLite: one row a record, found by hashed integers.

import CSQLite
import TesseraCache
import TesseraWire

/// The records of a database, inside a transaction.
struct SQLiteTable: CacheTable {
  /// What a server may send is smaller, whatever it grows to when it is escaped.
  private static let limits = JSONValue.Limits(bytes: 16 << 20, depth: 128)

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func record(at key: RecordKey) throws(SQLiteFailure) -> CacheRecord? {
    // Two keys with one hash would need 2^32 records to meet; then the later one has the row.
    try records("SELECT type, body FROM record WHERE key = ?", [.integer(key.number)])
      .first { $0.key == key }
  }

  func records(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      """
      SELECT type, body FROM record
      WHERE owner = ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
      """, [.integer(RecordKey.number(of: owner))]
    ).filter { $0.owner == owner }
  }

  func accessTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> [CredentialRecord] {
    try records(
      "SELECT type, body FROM scope JOIN record ON record.key = scope.record WHERE scope.name = ?",
      [.integer(SQLiteTable.scopeName(owner, scope))]
    ).compactMap(\.accessToken).filter { token in
      token.homeAccountID == owner && (scope.map { token.scopes.normalised.contains($0) } ?? true)
    }
  }

  func everyAccount() throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      """
      SELECT type, body FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001)
      """, [])
  }

  func put(_ record: CacheRecord) throws(SQLiteFailure) {
    let key = record.key
    try connection.query(
      "INSERT OR REPLACE INTO record (key, type, owner, body) VALUES (?, ?, ?, ?)",
      [
        .integer(key.number), .integer(Int64(key.type)),
        record.owner.map { .integer(RecordKey.number(of: $0)) } ?? .null,
        .blob(JSONValue.object(record.members).bytes),
      ])
    guard let token = record.accessToken else { return }
    try removeScopes(of: key.number)
    for scope in token.scopes.significant.map(Optional.some) + [nil] {
      try connection.query(
        "INSERT OR IGNORE INTO scope (name, record) VALUES (?, ?)",
        [
          .integer(SQLiteTable.scopeName(token.homeAccountID, scope)), .integer(key.number),
        ])
    }
  }

  func remove(_ key: RecordKey) throws(SQLiteFailure) {
    try connection.query("DELETE FROM record WHERE key = ?", [.integer(key.number)])
    try removeScopes(of: key.number)
  }

  private func removeScopes(of number: Int64) throws(SQLiteFailure) {
    try connection.query("DELETE FROM scope WHERE record = ?", [.integer(number)])
  }

  private func records(
    _ sql: StaticString, _ values: [SQLiteValue]
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    try connection.query(sql, values) { row throws(SQLiteFailure) in
      guard let members = (try? JSONValue(parsing: row.bytes(1), limits: Self.limits))?.object
      else {
        throw SQLiteFailure(code: SQLITE_CORRUPT, message: "a record can't be read")
      }
      // What does not load, such as a kind of a later version, is kept but not used.
      let record = CacheRecord(typeNumber: Int(row.integer(0)), members: members)
      if let record { records.append(record) }
      return true
    }
    return records
  }

  private static func scopeName(_ owner: String, _ scope: String?) -> Int64 {
    RecordKey.number(of: owner + "\n" + (scope ?? ""))
  }
}
