// SPDX-License-Identifier: MIT
// Information about the store, and its eviction.

import CLibrary
import CSQLite
import TesseraCache
package import TesseraEngine
import TesseraWire

extension SQLiteStore {
  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    var info = StoreInfo(state: .missing, policy: policy)
    do throws(TesseraError) {
      try describe(
        &info, limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time))
    } catch {
      info.problem = error
      info.state = StoreInfo.State(error.code)
    }
    return info
  }

  private func describe(_ info: inout StoreInfo, _ limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    info.path = location.database
    info.limitBytes = limitBytes
    info.setAside = QuarantinedFiles(location).names.map { "\(location.directory)/\($0)" }
    info.isRemote = location.isRemote
    guard try exists(location, limits, completesReplacement: false) else {
      if location.isReplacing { throw location.replacementPending }
      let missing = MissingDirectory(location.directory)
      if let problem = missing.problem(creating: location.database, setting: "store.directory") {
        throw problem
      }
      return try keys.describeAvailability(&info, within: limits)
    }
    var found = info
    try withConnection(.reading, location, limits) { connection, _ throws(TesseraError) in
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
          try StoreStatistics(connection).describe(&found)
          info = found
          // Get the key last, because everything above is valid without it.
          guard info.records != nil else { return }
          if let keyRow = try connection.currentKeyRow() {
            _ = try keys.obtain(keyRow, within: limits)
          } else if info.state == .usable {
            try keys.checkUnencryptedAllowed()
          }
        }
      }
    }
    if info.protection == nil { try keys.describeAvailability(&info, within: limits) }
    if info.state == .usable, !location.isWritable { info.state = .readOnly }
  }
}

extension StoreLocation {
  /// Whether the database and its directory are writable, according to modes and mounts.
  var isWritable: Bool {
    faccessat(AT_FDCWD, database, W_OK, AT_EACCESS) == 0
      && faccessat(AT_FDCWD, directory, W_OK, AT_EACCESS) == 0
  }
}

/// The statistics of a database.
///
/// Use it inside a transaction.
struct StoreStatistics {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Adds the size, the number of records and the key source to `info`.
  func describe(_ info: inout StoreInfo) throws(SQLiteFailure) {
    let layout = try SQLiteLayout.detect(connection)
    info.layoutVersion = Int(layout.number)
    (info.fileBytes, info.bytes) = try connection.bytes()
    guard layout != .none else {
      info.state = .empty
      return
    }
    let records = try records()
    info.records = records
    info.state = try connection.integer("SELECT 1 FROM record LIMIT 1") == nil ? .empty : .usable
    info.attempts = try connection.attempts()
    let source = try connection.currentKeyRow().map(\.source)
    info.keySource = source.flatMap(KeySource.init)
    info.protection = StoreInfo.Protection(keySource: source)
  }

  private func records() throws(SQLiteFailure) -> StoreInfo.Records {
    var records = StoreInfo.Records()
    try connection.query("SELECT type, count(*) FROM record GROUP BY type") { row in
      let count = Int(row.integer(1))
      switch row.integer(0) {
      case 1000...1999: records.accounts += count
      case 2001, 2007: records.accessTokens += count
      case 2002, 2005, 2008, 2009: records.refreshTokens += count
      case 2003, 2006: records.idTokens += count
      default: records.others += count
      }
      return true
    }
    records.damaged = Int(try connection.integer("SELECT count(*) FROM aside") ?? 0)
    return records
  }
}

extension SQLiteConnection {
  /// Stores the key sources that failed when the key of the store was created.
  func storeAttempts(_ attempts: [KeyAttempt]) throws(SQLiteFailure) {
    let lines = attempts.map { "\($0.source.rawValue) \($0.problem.rawValue) \($0.reason)" }
    try note("attempts", lines.isEmpty ? nil : lines.joined(separator: "\n"))
  }

  /// Returns the key sources that failed when the key of the store was created.
  func attempts() throws(SQLiteFailure) -> [KeyAttempt] {
    guard let text = try note("attempts") else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let source = KeySource(rawValue: parts[0]),
        let problem = KeyAttempt.Problem(rawValue: parts[1])
      else { return nil }
      return KeyAttempt(source: source, problem: problem, reason: parts[2])
    }
  }
}

/// The eviction of access tokens, which bounds the size of a database.
///
/// Each commit evicts some tokens, inside its transaction.
///
/// Refresh tokens are never evicted, because the user would have to sign in again.
struct SQLiteEviction {
  /// The maximum number of expired tokens to evict per commit.
  ///
  /// A commit stores one or two.
  private static let maximumEvictionsPerRound = 16
  /// The maximum number of rounds of evictions per commit for a store above its limit.
  private static let maximumEvictionRounds = 16
  /// The number of free pages to keep for later commits, and of pages to return per commit.
  private static let freePages: Int64 = 64

  private let connection: SQLiteConnection
  private let limitBytes: Int64?

  init(_ connection: SQLiteConnection, _ limitBytes: Int64?) {
    self.connection = connection
    self.limitBytes = limitBytes
  }

  /// Evicts expired access tokens; above the limit, also those that expire next.
  ///
  /// The change counters stay the same: cached responses with an evicted token are as valid as before.
  ///
  /// - Parameter table: Tokens stored by this transaction are not evicted.
  func evict(at clocks: Clocks, in table: SQLiteTable) throws(SQLiteFailure) {
    let end = clocks.now.adding(seconds: -CredentialRecord.evictionGraceSeconds).secondsSince1970
    _ = try remove(endedBefore: end, excluding: table.written) { key throws(SQLiteFailure) in
      // A wall clock that is set a day ahead must not expire tokens.
      try table.accessToken(key)?.isUnexpired(at: clocks) != true
    }
    if let limitBytes {
      for _ in 0..<SQLiteEviction.maximumEvictionRounds
      where try connection.bytes().used > limitBytes {
        guard try remove(endedBefore: .max, excluding: table.written) else { break }
      }
    }
    try releaseFreePages()
  }

  /// Evicts some access tokens, in the order of their expiry.
  ///
  /// - Returns: Whether any were evicted.
  private func remove(
    endedBefore end: Int64, excluding kept: Set<Int64>,
    where isExpired: (Int64) throws(SQLiteFailure) -> Bool = { _ in true }
  ) throws(SQLiteFailure) -> Bool {
    var keys: [Int64] = []
    // Do not bind the time as a parameter: SQLite would prepare the statement again at each commit.
    try connection.query(
      """
      SELECT key, expires FROM record
      WHERE expires IS NOT NULL AND type IN (2001, 2007) ORDER BY expires
      """
    ) { row in
      guard row.integer(1) < end, keys.count < SQLiteEviction.maximumEvictionsPerRound else {
        return false
      }
      if !kept.contains(row.integer(0)) { keys.append(row.integer(0)) }
      return true
    }
    for key in keys where try isExpired(key) {
      try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
      try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
    }
    return !keys.isEmpty
  }

  /// Shrinks the file if it has more free pages than the next commits will use.
  private func releaseFreePages() throws(SQLiteFailure) {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    guard free > SQLiteEviction.freePages * 2 + pages / 8 else { return }
    try connection.execute("PRAGMA incremental_vacuum(\(SQLiteEviction.freePages))")
  }
}

extension SQLiteConnection {
  /// Returns the size of the database and its used part, in bytes.
  func bytes() throws(SQLiteFailure) -> (file: Int64, used: Int64) {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    let size = try integer("PRAGMA page_size") ?? 0
    return (pages * size, (pages - free) * size)
  }
}

/// The accounts of an account list that the application may use only if it has tokens for them.
///
/// These are accounts without sign-in metadata for the application. Metadata exists for Entra accounts only.
struct AccountsNeedingTokens {
  private let clientID: String
  private var nonEntraAccounts: Set<ExactString> = []
  /// The home account IDs, keyed by their hashes, which are stored in the `owner` column.
  private var entraAccounts: [Int64: String] = [:]
  private var accountsWithMetadata: Set<Int64> = []

  /// Creates an empty collection for an application.
  init(_ clientID: String) { self.clientID = clientID }

  /// Processes a record of the account list.
  ///
  /// - Parameter owner: The hash of the home account ID.
  mutating func add(_ record: CacheRecord, of owner: Int64) {
    switch record {
    case .account(let account) where !account.isEntra:
      nonEntraAccounts.insert(account.homeAccountID)
    case .account(let account):
      if !accountsWithMetadata.contains(owner) { entraAccounts[owner] = account.homeAccountID }
    case .accountMetadata(let metadata) where metadata.clientID == clientID:
      guard let id = metadata.homeAccountID, metadata.state(of: id) != .unknown else { return }
      accountsWithMetadata.insert(owner)
      entraAccounts[owner] = nil
    default: break
    }
  }

  /// The home account IDs of accounts without sign-in metadata for the application.
  var accounts: Set<ExactString> { nonEntraAccounts.union(Set(texts: entraAccounts.values)) }
}
