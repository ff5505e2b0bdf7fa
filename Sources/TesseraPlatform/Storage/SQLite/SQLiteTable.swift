// SPDX-License-Identifier: MIT
// The table of the records.

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
  /// The values that a reading call has computed or counted; nil for a table that is written.
  private let reading: ReadMemory?

  init(
    _ connection: SQLiteConnection, _ codec: SQLiteRowCodec, _ damage: DamagedRows,
    _ memory: RowMemory? = nil, reading: ReadMemory? = nil
  ) {
    self.connection = connection
    self.codec = codec
    self.damage = damage
    self.memory = memory
    self.reading = reading
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

  func recordsWithoutRefreshTokens(
    of owner: String
  ) throws(SQLiteFailure) -> (records: [CacheRecord], hasOthers: Bool) {
    var count = 0
    let records = try records(
      SQLiteTable.ofOwner, [.integer(number(of: owner))],
      isRead: { type in
        let isRead = !SQLiteTable.isRefreshToken(type)
        count += isRead ? 0 : 1
        return isRead
      }
    ).filter { $0.owner == owner }
    reading?.refreshTokenCount = count
    return (records, count > 0)
  }

  func refreshTokens(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      SQLiteTable.ofOwner, [.integer(number(of: owner))], isRead: SQLiteTable.isRefreshToken
    ).filter { $0.owner == owner }
  }

  private static func isRefreshToken(_ type: Int64) -> Bool {
    CredentialType(rawValue: Int(type) - 2000)?.isRefreshToken == true
  }

  func accessTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> [CredentialRecord] {
    try records(
      SQLiteTable.withScope, [.integer(number(of: SQLiteTable.scopeText(owner, scope)))]
    ).compactMap(\.accessToken).filter { token in
      token.homeAccountID == owner
        && (scope.map { Scopes.contains($0, in: token.target ?? "") } ?? true)
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
    onRecord: (SQLiteRow, CacheRecord) -> Void = { _, _ in },
    isRead: (Int64) -> Bool = { _ in true }
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    var damaged: [Int64] = []
    try connection.query(sql, values) { row throws(SQLiteFailure) in
      let identity = row.identity
      guard isRead(identity.type) else { return true }
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
    memory?.number(of: text) ?? reading?.number(of: text) ?? RecordKey.number(of: text)
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes { memory?.scopes(of: token) ?? token.scopes }

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

/// An encoder and decoder of row bodies, for one transaction.
final class SQLiteRowCodec {
  /// The limits for parsing.
  ///
  /// Server responses are smaller, even after escaping.
  private static let limits = JSONValue.Limits(bytes: 16 << 20, depth: 128)

  private let connection: SQLiteConnection
  private let keys: StoreKeys
  private let callLimits: CallLimits
  /// The key that encrypts new rows; nil if they are stored unencrypted.
  private let current: RowCipher?
  private var ciphers = SmallDictionary<Int64, RowCipher>()
  private var isUnencrypted: Bool?
  private var nonces = NonceSupply()

  /// Creates a codec for reading.
  init(reading connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = nil
  }

  /// Creates a codec for reading and writing, inside a write transaction.
  init(
    writing connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = try keys.current(connection, within: limits)
  }

  /// The ID of the key that encrypts new rows; 0 if they are stored unencrypted.
  var keyID: Int64 { current?.id ?? 0 }

  /// Returns the members of the record in a column; nil for a damaged body.
  ///
  /// - Throws: An error if the key is unavailable, because damage cannot be detected without it.
  func members(
    of row: SQLiteRow, _ column: Int32, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    try row.withBytes(column) { body throws(SQLiteFailure) in
      try members(body, at: identity, keyID: keyID)
    }
  }

  private func members(
    _ body: UnsafeRawBufferPointer, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    guard keyID != 0 else {
      // In an encrypted store, an unencrypted row is treated as damaged: it may come from an attacker without the key.
      return try storeIsUnencrypted() ? SQLiteRowCodec.parsed(body) : nil
    }
    // A key that decrypts the body is the right one. Its row in the database need not be checked.
    if let known = connection.ciphers[keyID],
      let members = known.withDecrypted(body, at: identity, SQLiteRowCodec.parsed)
    {
      return members
    }
    return try cipher(keyID)?.withDecrypted(body, at: identity, SQLiteRowCodec.parsed) ?? nil
  }

  /// Returns the body of a record in the form in which it is stored.
  func body(of members: JSONObject, at identity: RowIdentity) throws(SQLiteFailure) -> [UInt8] {
    var bytes = JSONValue.object(members).bytes
    guard let current else { return bytes }
    guard let encrypted = current.encrypt(&bytes, at: identity, &nonces) else {
      throw SQLiteFailure.damaged("a record cannot be encrypted")
    }
    return encrypted
  }

  private static func parsed(_ bytes: UnsafeRawBufferPointer) -> JSONObject? {
    (try? JSONValue(parsing: bytes, limits: limits))?.object
  }

  /// Returns the key with an ID; nil if the database has no such key.
  private func cipher(_ id: Int64) throws(SQLiteFailure) -> RowCipher? {
    if let current, current.id == id { return current }
    if let cipher = ciphers[id] { return cipher }
    guard let row = try connection.keyRow(id) else { return nil }
    let cipher = try keys.obtain(row, within: callLimits)
    ciphers[id] = cipher
    connection.ciphers[id] = cipher
    return cipher
  }

  private func storeIsUnencrypted() throws(SQLiteFailure) -> Bool {
    if let isUnencrypted { return isUnencrypted }
    let isUnencrypted = try connection.currentKeyRow() == nil
    if isUnencrypted { try keys.checkUnencryptedAllowed() }
    self.isUnencrypted = isUnencrypted
    return isUnencrypted
  }
}

/// A cache for the duration of a write transaction, because a commit accesses the same rows and names several times.
final class RowMemory {
  private var records: [Int64: CacheRecord] = [:]
  private var numbers: [ExactString: Int64] = [:]
  private var scopes: [ExactString: Scopes] = [:]

  /// The cached record of a row; nil if the row was not read yet.
  subscript(row: Int64) -> CacheRecord? {
    get { records[row] }
    set { records[row] = newValue }
  }

  /// Evicts all records, because their rows were deleted.
  func evictRecords() { records = [:] }

  /// Returns the hash of a text.
  func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = RecordKey.number(of: text)
    numbers[text] = number
    return number
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes {
    let target = token.target ?? ""
    if let known = scopes[target] { return known }
    let parsed = token.scopes
    scopes[target] = parsed
    return parsed
  }
}

/// The values of one reading call: the few hashes, each of which is needed several times, and a count.
final class ReadMemory {
  /// The shards that the call reads; nil if they are more than two.
  private(set) var shards: ShardPair?
  private var known: [(text: String, number: Int64)] = []
  /// The number of refresh tokens that were found and not decrypted at first.
  var refreshTokenCount = 0

  init(_ selection: SnapshotSelection) {
    shards = StoreShards.shards(readBy: selection) { number(of: $0) }
  }

  /// Whether the account has a refresh token, in the records or only in the store.
  func hasRefreshToken(_ records: [CacheRecord]) -> Bool {
    refreshTokenCount > 0 || records.contains(where: \.isRefreshToken)
  }

  /// Whether the account has a token, in the records or only in the store.
  func hasCredential(_ records: [CacheRecord]) -> Bool {
    refreshTokenCount > 0
      || records.contains { if case .credential = $0 { true } else { false } }
  }

  /// Returns the hash of a text.
  func number(of text: String) -> Int64 {
    if let found = known.first(where: { $0.text.hasBytes(of: text) }) { return found.number }
    let number = RecordKey.number(of: text)
    known.append((text, number))
    return number
  }
}

/// The damaged rows that a transaction has found.
final class DamagedRows {
  private let connection: SQLiteConnection
  /// The current time for a writer, which quarantines damaged rows; nil for a reader, which changes nothing.
  private let now: Instant?
  /// The number of damaged rows.
  private(set) var count = 0

  init(_ connection: SQLiteConnection, now: Instant?) {
    self.connection = connection
    self.now = now
  }

  /// Counts a damaged row.
  ///
  /// A writer moves it to the table `aside`, so that its bytes are kept and its key becomes free.
  func add(_ key: Int64) throws(SQLiteFailure) {
    count += 1
    guard let now else { return }
    try connection.query(
      """
      INSERT INTO aside (key, type, owner, key_id, since, body)
      SELECT key, type, owner, key_id, ?, body FROM record WHERE key = ?
      """, [.integer(now.secondsSince1970), .integer(key)])
    try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
    try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
  }
}
