// SPDX-License-Identifier: MIT
// Writing of records to SQLite. Unchanged rows and index pages are not written.

import CSQLite
import TesseraCache
import TesseraWire

extension SQLiteTable {
  mutating func put(_ record: CacheRecord) throws(SQLiteFailure) {
    let key = record.key
    let identity = RowIdentity(key: number(of: key.text), type: Int64(key.type))
    // Reading quarantines a damaged row before it is replaced. An identical record is not written again.
    let older = try self.record(in: identity.key).flatMap { $0.hasSameKey(as: record) ? $0 : nil }
    if older == record, try hasCurrentKey(identity) { return }
    if record.accessToken == nil {
      changedShards.insert(
        owner: record.owner.map(number), key: identity.key, type: key.type,
        changesList: record.changesAccountList(replacing: older))
    }
    memory?[identity.key] = nil
    let body = try codec.body(of: record.members, at: identity)
    if let older {
      try rewrite(identity, body, record, older)
    } else {
      try insert(identity, body, record)
    }
    guard let token = record.accessToken else { return }
    written.insert(identity.key)
    try setScopes(of: token, at: identity.key)
  }

  private func insert(
    _ identity: RowIdentity, _ body: [UInt8], _ record: CacheRecord
  ) throws(SQLiteFailure) {
    // Columns that this version does not know are left unchanged.
    try connection.query(
      """
      INSERT INTO record (key, type, owner, key_id, expires, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET type = excluded.type, owner = excluded.owner,
        key_id = excluded.key_id, expires = excluded.expires, body = excluded.body
      """,
      [
        .integer(identity.key), .integer(identity.type),
        record.owner.map { .integer(number(of: $0)) } ?? .null,
        .integer(codec.keyID), record.expiryTime.map(SQLiteValue.integer) ?? .null, .blob(body),
      ])
  }

  /// Updates a row for a record with the same key, and so with the same owner and type.
  ///
  /// An indexed column is only named if it changes: otherwise SQLite would also write the pages of the index.
  private func rewrite(
    _ identity: RowIdentity, _ body: [UInt8], _ record: CacheRecord, _ older: CacheRecord
  ) throws(SQLiteFailure) {
    if record.expiryTime == older.expiryTime {
      try connection.query(
        "UPDATE record SET key_id = ?, body = ? WHERE key = ?",
        [.integer(codec.keyID), .blob(body), .integer(identity.key)])
    } else {
      try connection.query(
        "UPDATE record SET key_id = ?, body = ?, expires = ? WHERE key = ?",
        [
          .integer(codec.keyID), .blob(body), record.expiryTime.map(SQLiteValue.integer) ?? .null,
          .integer(identity.key),
        ])
    }
  }

  /// Updates the scope rows of a token, including the one without a scope.
  ///
  /// Existing rows are not written again.
  private mutating func setScopes(of token: CredentialRecord, at key: Int64) throws(SQLiteFailure) {
    let wanted = Set(
      (scopes(of: token).significant.texts.map(Optional.some) + [nil]).map { scope in
        number(of: SQLiteTable.scopeText(token.homeAccountID, scope))
      })
    var found: Set<Int64> = []
    try connection.query("SELECT name FROM scope WHERE record = ?", [.integer(key)]) { row in
      found.insert(row.integer(0))
      return true
    }
    for name in found.union(wanted) { changedShards.insert(scope: name) }
    for name in found.subtracting(wanted) {
      try connection.query(
        "DELETE FROM scope WHERE name = ? AND record = ?", [.integer(name), .integer(key)])
    }
    for name in wanted.subtracting(found) {
      try connection.query(
        "INSERT INTO scope (name, record) VALUES (?, ?)", [.integer(name), .integer(key)])
    }
  }

  mutating func remove(_ key: RecordKey) throws(SQLiteFailure) {
    let number = number(of: key.text)
    memory?[number] = nil
    var removed = StoreShards()
    try connection.query(
      "DELETE FROM record WHERE key = ? RETURNING owner", [.integer(number)]
    ) { row in
      if CredentialType(rawValue: key.type &- 2000)?.isAccessToken != true {
        removed.insert(
          owner: row.optionalInteger(0), key: number, type: key.type, changesList: true)
      }
      return true
    }
    changedShards.formUnion(removed)
    try connection.query("DELETE FROM aside WHERE key = ?", [.integer(number)])
    try removeScopes(of: number)
  }

  mutating func removeEverything() throws(SQLiteFailure) {
    changedShards.insertAll()
    memory?.evictRecords()
    for sql in ["DELETE FROM record", "DELETE FROM scope", "DELETE FROM aside"] as [StaticString] {
      try connection.query(sql) { _ in true }
    }
  }

  /// Deletes quarantined rows of accounts that sign out, which may contain their tokens.
  func deleteQuarantinedRows(_ change: CacheChange) throws(SQLiteFailure) {
    for case .signOut(let signOut) in change.steps {
      try connection.query(
        "DELETE FROM aside WHERE owner = ?",
        [.integer(number(of: signOut.homeAccountID))])
    }
  }

  /// Whether a row is encrypted with the current key.
  private func hasCurrentKey(_ identity: RowIdentity) throws(SQLiteFailure) -> Bool {
    var keyID: Int64?
    try connection.query(
      "SELECT key_id FROM record WHERE key = ?", [.integer(identity.key)]
    ) { row in
      keyID = row.integer(0)
      return false
    }
    return keyID == codec.keyID
  }

  private mutating func removeScopes(of number: Int64) throws(SQLiteFailure) {
    var names: [Int64] = []
    try connection.query(
      "DELETE FROM scope WHERE record = ? RETURNING name", [.integer(number)]
    ) { row in
      names.append(row.integer(0))
      return true
    }
    for name in names { changedShards.insert(scope: name) }
  }
}
