// SPDX-License-Identifier: MIT
// The records of a store in SQLite: one row a record, found by hashed integers.

internal import TesseraCache
internal import TesseraWire

/// The records of a database, inside a transaction.
struct SQLiteTable: CacheTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func record(at key: RecordKey) throws(SQLiteFailure) -> CacheRecord? {
    try slot(of: key).record
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
    let slot = try slot(of: record.key)
    try connection.query(
      "INSERT OR REPLACE INTO record (key, type, owner, body) VALUES (?, ?, ?, ?)",
      [
        .integer(slot.number), .integer(Int64(record.key.type)),
        record.owner.map { .integer(RecordKey.number(of: $0)) } ?? .null,
        .blob(JSONValue.object(record.members).bytes),
      ])
    guard let token = record.accessToken else { return }
    try removeScopes(of: slot.number)
    for scope in token.scopes.significant.map(Optional.some) + [nil] {
      try connection.query(
        "INSERT OR IGNORE INTO scope (name, record) VALUES (?, ?)",
        [
          .integer(SQLiteTable.scopeName(token.homeAccountID, scope)), .integer(slot.number),
        ])
    }
  }

  func remove(_ key: RecordKey) throws(SQLiteFailure) {
    let slot = try slot(of: key)
    guard slot.record != nil else { return }
    try connection.query("DELETE FROM record WHERE key = ?", [.integer(slot.number)])
    try removeScopes(of: slot.number)
  }

  private func removeScopes(of number: Int64) throws(SQLiteFailure) {
    try connection.query("DELETE FROM scope WHERE record = ?", [.integer(number)])
  }

  /// The row of a key: the one that holds it, or the free one where it belongs.
  ///
  /// Two keys with the same hash lie in neighbouring rows; a few looks are plenty for 64 bits.
  private func slot(
    of key: RecordKey
  ) throws(SQLiteFailure) -> (number: Int64, record: CacheRecord?) {
    var number = key.number
    for _ in 0..<8 {
      let found = try records(
        "SELECT type, body FROM record WHERE key = ?", [.integer(number)])
      guard let record = found.first else { return (number, nil) }
      if record.key == key { return (number, record) }
      number = number &+ 1
    }
    return (number, nil)
  }

  private func records(
    _ sql: StaticString, _ values: [SQLiteValue]
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    try connection.query(sql, values) { row in
      let members = (try? JSONValue(parsing: row.bytes(1)))?.object
      if let members, let record = CacheRecord(typeNumber: Int(row.integer(0)), members: members) {
        records.append(record)
      }
      return true
    }
    return records
  }

  private static func scopeName(_ owner: String, _ scope: String?) -> Int64 {
    RecordKey.number(of: owner + "\n" + (scope ?? ""))
  }
}
