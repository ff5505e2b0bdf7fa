// SPDX-License-Identifier: MIT
// The records of a store in SQLite: one row per record, found by integer hashes.

import CSQLite
import TesseraCache
import TesseraEngine
import TesseraWire

/// The records of a database, inside a transaction.
struct SQLiteTable: CacheTable {
  let connection: SQLiteConnection
  let codec: SQLiteRowCodec
  private let damage: DamagedRows
  /// The shards that were changed.
  var changedShards = StoreShards()
  /// The keys of stored access tokens, which must not be evicted by the same transaction.
  var written: Set<Int64> = []
  /// The cache of decrypted records and hashes; nil for a table that is only read.
  let memory: RowMemory?

  init(
    _ connection: SQLiteConnection, _ codec: SQLiteRowCodec, _ damage: DamagedRows,
    _ memory: RowMemory? = nil
  ) {
    self.connection = connection
    self.codec = codec
    self.damage = damage
    self.memory = memory
  }

  func record(at key: RecordKey) throws(SQLiteFailure) -> CacheRecord? {
    // Hash collisions become likely at 2^32 records. The later record then replaces the row.
    try record(in: number(of: key.text)).flatMap { $0.key == key ? $0 : nil }
  }

  /// Returns the record in a row; nil if there is none.
  func record(in row: Int64) throws(SQLiteFailure) -> CacheRecord? {
    try records("SELECT key, type, key_id, body FROM record WHERE key = ?", [.integer(row)]).first
  }

  func records(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      SQLiteTable.ofOwner, [.integer(number(of: owner))]
    ).filter { $0.owner == owner }
  }

  func accessTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> [CredentialRecord] {
    try records(
      SQLiteTable.withScope, [.integer(number(of: SQLiteTable.scopeText(owner, scope)))]
    ).compactMap(\.accessToken).filter { token in
      token.homeAccountID == owner
        && (scope.map { scopes(of: token).normalised.contains($0) } ?? true)
    }
  }

  /// Returns the access token in a row; nil if there is none or it cannot be decrypted.
  func accessToken(_ key: Int64) throws(SQLiteFailure) -> CredentialRecord? {
    var found: CredentialRecord?
    try connection.query(
      "SELECT type, body, key_id FROM record WHERE key = ?", [.integer(key)]
    ) { row throws(SQLiteFailure) in
      let identity = RowIdentity(key: key, type: row.integer(0))
      let members = try codec.members(of: row, 1, at: identity, keyID: row.integer(2))
      found =
        members.flatMap { CacheRecord(typeNumber: Int(identity.type), members: $0) }?.accessToken
      return false
    }
    return found
  }

  func allAccounts() throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      """
      SELECT key, type, key_id, body FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001)
      """, [])
  }

  func everything() throws(SQLiteFailure) -> [CacheRecord] {
    try records("SELECT key, type, key_id, body FROM record", [])
  }

  func allAccounts(visibleTo clientID: String) throws(SQLiteFailure) -> [CacheRecord] {
    var needingTokens = AccountsNeedingTokens(clientID)
    // The first condition selects the partial index. No refresh token or ID token is read.
    let records = try records(
      """
      SELECT key, type, key_id, body, owner FROM record
      WHERE (type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001))
        AND type NOT BETWEEN 2000 AND 2999
      """, []
    ) { row, record in needingTokens.add(record, of: row.integer(4)) }
    let undecided = needingTokens.accounts
    guard undecided.count <= SQLiteTable.maximumIndividualReads else {
      return try allAccounts()
    }
    return records + (try tokens(of: undecided))
  }

  func allAccounts(
    in ranges: [Int], visibleTo clientID: String?
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var needingTokens = AccountsNeedingTokens(clientID ?? "")
    var records: [CacheRecord] = []
    for range in ranges {
      let hashes = AccountListVersion.hashes(in: range)
      records += try self.records(
        """
        SELECT key, type, key_id, body, owner FROM record
        WHERE owner BETWEEN ? AND ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
          AND type NOT BETWEEN 2000 AND 2999
        """, [.integer(hashes.lowerBound), .integer(hashes.upperBound)]
      ) { row, record in needingTokens.add(record, of: row.integer(4)) }
    }
    return records + (try tokens(of: needingTokens.accounts))
  }

  /// Returns the refresh tokens and ID tokens of some accounts.
  private func tokens(of owners: Set<ExactString>) throws(SQLiteFailure) -> [CacheRecord] {
    var tokens: [CacheRecord] = []
    for owner in owners.texts {
      tokens += try records(of: owner).filter {
        if case .credential = $0 { true } else { false }
      }
    }
    return tokens
  }

  private func records(
    _ sql: StaticString, _ values: [SQLiteValue],
    onRecord: (SQLiteRow, CacheRecord) -> Void = { _, _ in }
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    var damaged: [Int64] = []
    try connection.query(sql, values) { row throws(SQLiteFailure) in
      let identity = row.identity
      if let known = memory?[identity.key] {
        records.append(known)
        onRecord(row, known)
        return true
      }
      guard !row.isNull(1),
        let members = try codec.members(of: row, 3, at: identity, keyID: row.integer(2))
      else {
        damaged.append(identity.key)
        return true
      }
      // A record that cannot be loaded, such as one of a later version, is kept but not used.
      let record = CacheRecord(typeNumber: Int(identity.type), members: members)
      memory?[identity.key] = record
      if let record {
        records.append(record)
        onRecord(row, record)
      }
      return true
    }
    for key in damaged { try damage.add(key) }
    return records
  }

  /// Returns the hash of a text, as stored in columns.
  func number(of text: String) -> Int64 {
    memory?.number(of: text) ?? RecordKey.number(of: text)
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes { memory?.scopes(of: token) ?? token.scopes }

  static func scopeName(_ owner: String, _ scope: String?) -> Int64 {
    RecordKey.number(of: scopeText(owner, scope))
  }

  static func scopeText(_ owner: String, _ scope: String?) -> String {
    owner + "\n" + (scope ?? "")
  }
}

extension SQLiteTable {
  /// The number of accounts up to which reading them one by one is faster.
  private static let maximumIndividualReads = 100

  private static let ofOwner: StaticString = """
    SELECT key, type, key_id, body FROM record
    WHERE owner = ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
    """

  // A scope row without its record is damage: the key of the record was altered, so the join does not find the record.
  private static let withScope: StaticString = """
    SELECT scope.record, record.type, record.key_id, record.body
    FROM scope LEFT JOIN record ON record.key = scope.record WHERE scope.name = ?
    """
}

extension SQLiteRow {
  /// The key and the type of the row, which are authenticated with its body.
  fileprivate var identity: RowIdentity { RowIdentity(key: integer(0), type: integer(1)) }
}
