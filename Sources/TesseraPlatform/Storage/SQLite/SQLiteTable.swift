// SPDX-License-Identifier: MIT
// The records of a store in SQLite: one row a record, found by hashed integers.

import CSQLite
import TesseraCache
import TesseraWire

/// The records of a database, inside a transaction.
struct SQLiteTable: CacheTable {
  private let connection: SQLiteConnection
  private let codec: SQLiteRowCodec
  private let damage: SQLiteRowDamage
  /// A sum over what was read of owners.
  let digest = RowDigest()
  /// What was changed.
  private(set) var touched = StoreParts()
  /// The access tokens that were stored; they do not make room for themselves.
  private(set) var written: Set<Int64> = []

  init(_ connection: SQLiteConnection, _ codec: SQLiteRowCodec, _ damage: SQLiteRowDamage) {
    self.connection = connection
    self.codec = codec
    self.damage = damage
  }

  func record(at key: RecordKey) throws(SQLiteFailure) -> CacheRecord? {
    // Two keys with one hash would need 2^32 records to meet; then the later one has the row.
    try records(
      "SELECT key, type, key_id, body FROM record WHERE key = ?", [.integer(key.number)]
    ).first { $0.key == key }
  }

  func records(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      SQLiteTable.ofOwner, [.integer(RecordKey.number(of: owner))], adding: digest
    ).filter { $0.owner == owner }
  }

  func accessTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> [CredentialRecord] {
    try records(
      SQLiteTable.withScope, [.integer(SQLiteTable.scopeName(owner, scope))], adding: digest
    ).compactMap(\.accessToken).filter { token in
      token.homeAccountID == owner && (scope.map { token.scopes.normalised.contains($0) } ?? true)
    }
  }

  /// The access token in a row; nil for none, and for one that does not open.
  func accessToken(_ key: Int64) throws(SQLiteFailure) -> CredentialRecord? {
    var found: CredentialRecord?
    try connection.query(
      "SELECT type, body, key_id FROM record WHERE key = ?", [.integer(key)]
    ) { row throws(SQLiteFailure) in
      let place = RowPlace(key: key, type: row.integer(0))
      let members = try codec.members(row.bytes(1), at: place, keyID: row.integer(2))
      found = members.flatMap { CacheRecord(typeNumber: Int(place.type), members: $0) }?.accessToken
      return false
    }
    return found
  }

  func everyAccount() throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      """
      SELECT key, type, key_id, body FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001)
      """, [])
  }

  func everyAccount(seenBy clientID: String) throws(SQLiteFailure) -> [CacheRecord] {
    // The first condition is that of the index; no refresh token and no ID token is read.
    let records = try records(
      """
      SELECT key, type, key_id, body FROM record
      WHERE (type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001))
        AND type NOT BETWEEN 2000 AND 2999
      """, [])
    let undecided = SQLiteTable.undecided(records, by: clientID)
    guard undecided.count <= SQLiteTable.fewAccounts else { return try everyAccount() }
    var tokens: [CacheRecord] = []
    for owner in undecided {
      tokens += try self.records(of: owner).filter {
        if case .credential = $0 { true } else { false }
      }
    }
    return records + tokens
  }

  func everyAccount(in ranges: [Int]) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    for range in ranges {
      let hashes = ListState.hashes(in: range)
      records += try self.records(
        """
        SELECT key, type, key_id, body FROM record
        WHERE owner BETWEEN ? AND ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
        """, [.integer(hashes.lowerBound), .integer(hashes.upperBound)])
    }
    return records
  }

  mutating func put(_ record: CacheRecord) throws(SQLiteFailure) {
    let key = record.key
    let place = RowPlace(key: key.number, type: Int64(key.type))
    // What is damaged there is put aside, not overwritten; what is the same already stays as it is.
    let older = try self.record(at: key)
    if older == record, try isCurrentlySealed(place) { return }
    // Columns that this version does not know stay as they are.
    if record.accessToken == nil {
      touched.insert(
        owner: record.owner.map { RecordKey.number(of: $0) }, key: key.number, type: key.type,
        changesList: record.changesAccountList(replacing: older))
    }
    try connection.query(
      """
      INSERT INTO record (key, type, owner, key_id, expires, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET type = excluded.type, owner = excluded.owner,
        key_id = excluded.key_id, expires = excluded.expires, body = excluded.body
      """,
      [
        .integer(place.key), .integer(place.type),
        record.owner.map { .integer(RecordKey.number(of: $0)) } ?? .null,
        .integer(codec.keyID), record.lastUse.map(SQLiteValue.integer) ?? .null,
        .blob(try codec.body(of: record.members, at: place)),
      ])
    guard let token = record.accessToken else { return }
    written.insert(place.key)
    try removeScopes(of: place.key)
    for scope in token.scopes.significant.map(Optional.some) + [nil] {
      let name = SQLiteTable.scopeName(token.homeAccountID, scope)
      touched.insert(scope: name)
      try connection.query(
        "INSERT OR IGNORE INTO scope (name, record) VALUES (?, ?)",
        [.integer(name), .integer(place.key)])
    }
  }

  mutating func remove(_ key: RecordKey) throws(SQLiteFailure) {
    var removed = StoreParts()
    try connection.query(
      "DELETE FROM record WHERE key = ? RETURNING owner", [.integer(key.number)]
    ) { row in
      if CredentialType(rawValue: key.type &- 2000)?.isAccessToken != true {
        removed.insert(
          owner: row.optionalInteger(0), key: key.number, type: key.type, changesList: true)
      }
      return true
    }
    touched.formUnion(removed)
    try connection.query("DELETE FROM aside WHERE key = ?", [.integer(key.number)])
    try removeScopes(of: key.number)
  }

  /// Removes what was put aside of accounts that sign out: it may hold their tokens.
  func forgetAside(_ change: CacheChange) throws(SQLiteFailure) {
    for case .signOut(let signOut) in change.steps {
      try connection.query(
        "DELETE FROM aside WHERE owner = ?",
        [.integer(RecordKey.number(of: signOut.homeAccountID))])
    }
  }

  /// Whether a row is sealed with the key that rows are written with now.
  private func isCurrentlySealed(_ place: RowPlace) throws(SQLiteFailure) -> Bool {
    var keyID: Int64?
    try connection.query(
      "SELECT key_id FROM record WHERE key = ?", [.integer(place.key)]
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
    for name in names { touched.insert(scope: name) }
  }

  private func records(
    _ sql: StaticString, _ values: [SQLiteValue], adding digest: RowDigest? = nil
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    var damaged: [Int64] = []
    try connection.query(sql, values) { row throws(SQLiteFailure) in
      let place = row.place
      if let digest { row.add(to: digest) }
      guard !row.isNull(1),
        let members = try codec.members(row.bytes(3), at: place, keyID: row.integer(2))
      else {
        damaged.append(place.key)
        return true
      }
      // What does not load, such as a kind of a later version, is kept but not used.
      let record = CacheRecord(typeNumber: Int(place.type), members: members)
      if let record { records.append(record) }
      return true
    }
    for key in damaged { try damage.meet(key) }
    return records
  }

  static func scopeName(_ owner: String, _ scope: String?) -> Int64 {
    RecordKey.number(of: owner + "\n" + (scope ?? ""))
  }
}

extension SQLiteTable {
  /// Up to so many accounts are cheaper to look at one by one.
  private static let fewAccounts = 100

  /// The accounts of which an application remembers neither signing in nor signing out.
  private static func undecided(_ records: [CacheRecord], by clientID: String) -> Set<String> {
    let states = CacheSnapshot(records: records, version: nil).signInStates(of: clientID)
    var undecided: Set<String> = []
    for case .account(let account) in records {
      let state = states[account.homeAccountID] ?? .unknown
      if state == .unknown { undecided.insert(account.homeAccountID) }
    }
    return undecided
  }

  private static let ofOwner: StaticString = """
    SELECT key, type, key_id, body FROM record
    WHERE owner = ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
    """

  // A scope without its record is damage: a record is found by its key, and its key was changed.
  private static let withScope: StaticString = """
    SELECT scope.record, record.type, record.key_id, record.body
    FROM scope LEFT JOIN record ON record.key = scope.record WHERE scope.name = ?
    """

  /// The sum over the rows that a mark is of, as they are now.
  static func digest(
    _ connection: SQLiteConnection, _ mark: SnapshotMark
  ) throws(SQLiteFailure) -> SnapshotMark.Digest {
    let digest = RowDigest()
    for (sql, value) in [(withScope, mark.scope), (ofOwner, mark.owner)] {
      try connection.query(sql, [.integer(value)]) { row in
        row.add(to: digest)
        return true
      }
    }
    return digest.value
  }
}

extension SQLiteRow {
  /// Where a record lies.
  fileprivate var place: RowPlace { RowPlace(key: integer(0), type: integer(1)) }

  fileprivate func add(to digest: RowDigest) {
    withBytes(3) { digest.add(place, keyID: integer(2), $0) }
  }
}

extension CacheRecord {
  /// When an access token is of no use any more, in seconds since 1970; nil for what does not say so.
  fileprivate var lastUse: Int64? {
    guard let token = accessToken else { return nil }
    let times = [token.expiresAt, token.extendedExpiresAt].compactMap { $0?.secondsSince1970 }
    return times.max()
  }
}
