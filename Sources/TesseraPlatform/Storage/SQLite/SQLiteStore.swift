// SPDX-License-Identifier: MIT
// The default store: one SQLite database for each user and group.

import CSQLite
package import TesseraCache
package import TesseraEngine

/// Keeps credentials in SQLite, for every program of the user that names the same group.
///
/// Nothing is opened before the first call. Reading a store that does not exist makes nothing.
package final class SQLiteStore: CredentialStore {
  private let group: String
  private let directory: String?
  private let time: any TimeSource
  private let log: Log
  private let state = AtomicReference<SQLiteState>()
  private let keys: StoreKeys

  /// The store of a group, in a directory or where the user's data lies.
  ///
  /// - Parameter protection: keeps the store's key.
  package init(
    group: String, directory: String?, protection: any KeyProtection, time: any TimeSource,
    log: Log = .silent
  ) {
    self.group = group
    self.directory = directory
    self.time = time
    self.log = log
    keys = StoreKeys(protection, log)
  }

  package var version: StoreVersion? {
    state.borrowed { state in
      guard let state, state.isInPlace else { return nil }
      return state.word.borrowed { $0?.version }
    }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    guard try location.identity() != nil else {
      return CacheSnapshot(records: [], version: nil, condition: .missing)
    }
    let state = openState(location)
    return try state.reader.use(time, within: limits) { slot throws(TesseraError) in
      let connection = try self.connection(&slot, state, location, limits, isWriter: false)
      return try self.retrying(location, limits) { () throws(SQLiteFailure) in
        let before = state.word.borrowed { $0?.version }
        let (records, condition) = try connection.transaction("BEGIN") {
          () throws(SQLiteFailure) in
          try self.read(selection, connection, location, limits)
        }
        // A commit between the two looks may or may not be in the records: such a snapshot is not remembered.
        let after = state.word.borrowed { $0?.version }
        return CacheSnapshot(
          records: records, version: before == after ? before : nil, condition: condition)
      }
    }
  }

  package func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    if try location.identity() == nil { try keys.prepare(within: limits) }
    try location.makeDirectory()
    let state = openState(location)
    try state.writer.use(time, within: limits) { slot throws(TesseraError) in
      let connection = try self.connection(&slot, state, location, limits, isWriter: true)
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        try self.write(change, connection, state, location, limits)
      }
      // What was removed lies in the log as well, until the log begins anew; nobody waits for that.
      if change.removesSecrets { try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  package func prove(within limits: CallLimits) throws(TesseraError) {
    try commit(CacheChange(), within: limits)
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let location = try StoreLocation(group: group, directory: directory)
    try location.makeDirectory()
    return try CredentialLockFile(path: location.locks)
      .withLock(on: credential, time, within: limits, body)
  }
}

extension SQLiteStore {
  private func read(
    _ selection: SnapshotSelection, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> ([CacheRecord], StoreCondition) {
    guard try SQLiteLayout.follow(connection) != .none else { return ([], .empty) }
    let damage = SQLiteRowDamage(connection, now: nil)
    let table = SQLiteTable(
      connection, SQLiteRowCodec(reading: connection, keys, limits), damage)
    let records = try table.records(selection)
    let look = StoreLook(connection, location)
    return (records, try look.condition(selection, isEmpty: records.isEmpty, damage))
  }

  private func write(
    _ change: CacheChange, _ connection: SQLiteConnection, _ state: SQLiteState,
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    var ending: (FreshnessWord, UInt64)?
    defer { if let (word, odd) = ending { word.endCommit(odd) } }
    try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.bringUp(connection)
      var table = SQLiteTable(
        connection, try SQLiteRowCodec(writing: connection, keys, limits),
        SQLiteRowDamage(connection, now: time.now))
      try change.apply(to: &table)
      try table.forgetAside(change)
      // Without the word other processes would go on believing what they remember.
      guard let word = try self.word(state, connection, location, repairs: true) else {
        throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "\(location.freshness) can't be mapped")
      }
      if !change.steps.isEmpty { ending = (word, word.beginCommit()) }
    }
  }

  /// How long a call waits for other processes if it has no deadline.
  private static let patience: Int64 = 10_000

  /// What this process has open; after a fork(), or when another file took the place of the old one, nothing yet.
  private func openState(_ location: StoreLocation) -> SQLiteState {
    let known = state.borrowed { $0 }
    if let known, known.isCurrent { return known }
    if known != nil { log.write(.warning, "The store's files are opened anew.") }
    return state.replace(known, with: SQLiteState(location))
  }

  private func connection(
    _ slot: inout SQLiteConnection?, _ state: SQLiteState, _ location: StoreLocation,
    _ limits: CallLimits, isWriter: Bool
  ) throws(TesseraError) -> SQLiteConnection {
    if let connection = slot {
      if state.word.borrowed({ $0 == nil }) {
        _ = try? word(state, connection, location, repairs: false)
      }
      return connection
    }
    try location.checkSafety()
    // A database that exists has its mode; a new one takes over that of the file of the locks.
    let isNew = try location.identity() == nil
    if isNew { try location.makeLockFile() }
    let connection = try retrying(location, limits) { () throws(SQLiteFailure) in
      let file = location.resolved()
      return try SQLiteConnection(
        path: file.database, modeFrom: isNew ? file.locks : nil)
    }
    // A new database has a page before it has tables and a freshness word; looked at before, so that it cannot be one.
    let wasEmptied =
      !isNew && location.hasFreshness && FileIdentity(at: location.database)?.isEmpty == true
    let contents = try retrying(location, limits) { () throws(SQLiteFailure) in
      try SQLiteSchema.contents(connection)
    }
    try contents.check(location.database, wasEmptied: wasEmptied)
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.execute(SQLiteSchema.settings)
      if contents.tables == 0, isWriter { try connection.execute(SQLiteSchema.beginning) }
    }
    if contents.tables > 0 { _ = try? self.word(state, connection, location, repairs: false) }
    state.belongs(to: try location.identity())
    slot = connection
    return connection
  }

  /// The freshness word; nil when it can't be mapped, so that every call reads the database.
  ///
  /// - Parameter repairs: whether its file may be made or corrected; only inside a write transaction.
  private func word(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation, repairs: Bool
  ) throws(SQLiteFailure) -> FreshnessWord? {
    if let word = state.word.borrowed({ $0 }) { return word }
    guard let identity = try connection.integer("SELECT identity FROM store"),
      let word = FreshnessWord(
        path: location.freshness, identity: UInt64(bitPattern: identity), repairs: repairs)
    else { return nil }
    return state.word.replace(nil, with: word)
  }

  /// Tries again while another process writes, until the deadline.
  private func retrying<Value>(
    _ location: StoreLocation, _ limits: CallLimits, _ body: () throws(SQLiteFailure) -> Value
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    while true {
      do throws(SQLiteFailure) {
        return try body()
      } catch {
        guard error.code == SQLITE_BUSY || error.code == SQLITE_LOCKED else {
          throw TesseraError(error, location.database)
        }
      }
      try pause.wait(time, within: limits)
    }
  }
}

extension SQLiteConnection {
  /// Runs a transaction: all of it or nothing.
  func transaction<Value>(
    _ begin: String, _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try execute(begin)
    do throws(SQLiteFailure) {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}
