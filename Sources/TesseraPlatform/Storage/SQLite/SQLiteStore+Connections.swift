// SPDX-License-Identifier: MIT
// The connections and change counters of the SQLite store, opened on first use.

import CLibrary
import CSQLite
import Synchronization
import TesseraCache
import TesseraEngine

extension SQLiteStore {
  /// The default timeout for waiting for other processes, in milliseconds.
  static let defaultTimeoutMilliseconds: Int64 = 10_000

  /// Returns the open files of this process.
  ///
  /// After a fork() or the replacement of a file, it is a new state.
  func openState(_ location: StoreLocation) -> SQLiteState {
    let known = state.borrowed { $0 }
    if let known, known.isCurrent, !known.isOutdated { return known }
    if known != nil {
      log.write(
        .warning, "The store is reopened: its files were replaced or closed, or fork() was called.")
    }
    let new = state.replace(known, with: SQLiteState(location))
    known?.retire()
    return new
  }

  /// Runs `body` with a connection, which is opened if necessary.
  ///
  /// Damage is recorded, so that the next commit checks the whole database.
  func withConnection<Value>(
    _ use: SQLiteState.Use, _ location: StoreLocation, _ limits: CallLimits,
    _ body: (SQLiteConnection, SQLiteState) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    while true {
      let state = openState(location)
      if use == .writing { try checkFiles(state, location, limits) }
      let value = try state.use(use, time, within: limits) { slot throws(TesseraError) -> Value? in
        do throws(TesseraError) {
          let connection = try self.connection(&slot, state, location, limits, use)
          return try connection.map { connection throws(TesseraError) in
            try body(connection, state)
          }
        } catch {
          if error.code == .cacheDamaged { state.recordDamage() }
          // If there was no space for the log index, the connection would stay read-only.
          if use == .writing, error.remedy == .fixStorage { slot = nil }
          throw error
        }
      }
      if let value = value ?? nil { return value }
      // The connection, which held a lock on the database, is closed by now.
      if use == .writing, state.needsJournal.exchange(false, ordering: .relaxed) {
        try retrying(location, limits) { () throws(SQLiteFailure) in
          try SQLiteConnection.removeLog(of: location.resolved().database)
        }
      }
      try pause.wait(time, within: limits)
    }
  }

  /// Creates a missing directory and rejects unsafe files.
  ///
  /// Open files are checked at most once per second.
  private func checkFiles(
    _ state: SQLiteState, _ location: StoreLocation, _ limits: CallLimits
  ) throws(TesseraError) {
    guard !state.hasCheckedFiles else { return }
    if try location.identity() == nil { try keys.prepare(within: limits) }
    try location.makeDirectory()
    state.markFilesChecked()
  }

  /// Returns the connection of a slot, opening it if necessary; nil if the database was replaced at this moment.
  private func connection(
    _ slot: inout SQLiteConnection?, _ state: SQLiteState, _ location: StoreLocation,
    _ limits: CallLimits, _ use: SQLiteState.Use
  ) throws(TesseraError) -> SQLiteConnection? {
    if let connection = slot {
      _ = try? counters(state, connection, location)
      return connection
    }
    let before = try checkedIdentity(location, use)
    // Read this before the tables are counted, because another process may be creating them.
    let hadCommits = location.hasRecordedCommits
    let (connection, contents) = try opened(location, limits, use, isNew: before == nil)
    try contents.check(location.database)
    // A log that was opened with another database must not be checkpointed into this one.
    guard let after = try location.identity(), before == nil || before == after,
      state.belongs(to: after)
    else { return nil }
    guard contents.tables > 0 || !hadCommits else {
      throw TesseraError(.lostCommits, location.database)
    }
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.setCheckpointsOnClose(true)
      try connection.execute(SQLiteSchema.settings)
      if contents.tables == 0, use == .writing {
        try begin(connection, state, location)
      }
    }
    guard try canWrite(connection, location, limits, use) else {
      state.needsJournal.store(true, ordering: .relaxed)
      state.lacksSharedMemory.store(true, ordering: .relaxed)
      return nil
    }
    guard state.recordCompanionFiles() else { return nil }
    if contents.tables > 0 { _ = try? self.counters(state, connection, location) }
    connection.descriptors = state.descriptors
    // A connection that reads a log without its index prevents others from removing the log.
    if !connection.isImmutable, !connection.cannotShareMemory { slot = connection }
    return connection
  }

  /// Prepares a new database, without a log if memory cannot be shared.
  private func begin(
    _ connection: SQLiteConnection, _ state: SQLiteState, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let usesRollbackJournal = location.isRemote || state.lacksSharedMemory.load(ordering: .relaxed)
    try connection.ignoringIndexErrno(ENODEV) { () throws(SQLiteFailure) in
      try SQLiteSchema.begin(connection, isRemote: usesRollbackJournal)
    }
  }

  /// Whether the connection can be used; false for a writer if no process can write the log of the database.
  private func canWrite(
    _ connection: SQLiteConnection, _ location: StoreLocation, _ limits: CallLimits,
    _ use: SQLiteState.Use
  ) throws(TesseraError) -> Bool {
    guard use == .writing else { return true }
    // Reading the version opens the log.
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.ignoringIndexErrno(ENODEV) { () throws(SQLiteFailure) in
        _ = try connection.integer("PRAGMA user_version")
      }
    }
    return !connection.cannotShareMemory
  }

  /// Opens a connection that does not checkpoint a log until the log is known to belong to the database.
  private func opened(
    _ location: StoreLocation, _ limits: CallLimits, _ use: SQLiteState.Use, isNew: Bool
  ) throws(TesseraError) -> (SQLiteConnection, SQLiteSchema.Contents) {
    // An existing database keeps its mode. A new one gets the mode of a lock file.
    let modeFrom = isNew ? try location.createModeFile() : nil
    let path = location.resolved().database
    return try retrying(location, limits) { () throws(SQLiteFailure) in
      do throws(SQLiteFailure) {
        let connection = try SQLiteConnection(path: path, modeFrom: modeFrom)
        try connection.keepLogFiles()
        try connection.setCheckpointsOnClose(false)
        return (connection, try SQLiteSchema.contents(connection))
      } catch {
        // The directory is not writable and there is no log. The database file is complete: read it once, without
        // locks.
        guard [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code), use == .reading,
          FileIdentity(at: path + "-wal")?.size ?? 0 == 0
        else { throw error }
        let connection = try SQLiteConnection(path: path, modeFrom: nil, isImmutable: true)
        return (connection, try SQLiteSchema.contents(connection))
      }
    }
  }

  /// Returns the identity of the database if it may be opened; nil if it does not exist and the caller may create it.
  ///
  /// - Throws: `signIn` for a database that was truncated to zero bytes, because SQLite would treat it as new and
  ///   remove its log. Also `signIn` while a damaged database is being replaced.
  private func checkedIdentity(
    _ location: StoreLocation, _ use: SQLiteState.Use
  ) throws(TesseraError) -> FileIdentity? {
    try location.checkSafety()
    // A new database has a page before its change counter file exists. So an empty one with that file is not new.
    let hadCounterFile = location.hasCounterFile
    let identity = try location.identity()
    guard identity != nil || use == .writing else {
      throw .failed("open", location.database, ENOENT)
    }
    // A database created now would be overwritten by the one about to be moved here, or would block that move forever.
    if identity == nil, location.isReplacing { throw location.replacementPending }
    guard let identity, identity.size == 0, hadCounterFile else { return identity }
    throw TesseraError(
      .signIn, .cacheDamaged, "\(location.database) was emptied. Sign in again.")
  }

  /// Returns the current version of the selected data; nil if the change counters are unavailable or a commit is in
  /// progress.
  func version(of selection: SnapshotSelection, _ state: SQLiteState) -> StoreVersion? {
    guard let shards = StoreShards.shards(readBy: selection) else { return nil }
    return state.counters.borrowed { $0?.version(of: shards) }
  }

  /// Returns the version of the account list; nil if it is not selected or the change counters are unavailable.
  func listVersion(of selection: SnapshotSelection, _ state: SQLiteState) -> AccountListVersion? {
    guard selection.allAccounts else { return nil }
    return state.counters.borrowed { $0?.listVersion(state.opening) }
  }

  /// Attaches the change counters for reading.
  private func counters(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = state.counters.borrowed { $0 }
    // If the file is empty, the next writer records the counters again.
    guard known == nil || known?.isReplaced == true else { return }
    if let known { state.retire(known) }
    guard let identity = try connection.integer("SELECT identity FROM store") else { return }
    // If they cannot be attached, every call reads the database.
    let counters = try? ChangeCounters(
      path: location.counterFile, identity: UInt64(bitPattern: identity), repairs: false)
    if let counters { _ = state.counters.replace(known, with: counters) }
  }

  /// Returns the change counters for writing.
  ///
  /// Call it only inside a write transaction.
  ///
  /// Without them, other processes would not notice the commit and use stale entries.
  func countersForWriting(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> ChangeCounters {
    let known = state.counters.borrowed { $0 }
    if let known, known.isRecorded || known.restore() { return known }
    if let known { state.retire(known) }
    let identity = UInt64(bitPattern: try connection.integer("SELECT identity FROM store") ?? 0)
    do throws(ChangeCounterError) {
      let counters = try ChangeCounters(
        path: location.counterFile, identity: identity, repairs: true)
      return state.counters.replace(known, with: counters)
    } catch {
      let code = errno
      let message = "\(location.counterFile) cannot be used"
      throw SQLiteFailure(
        code: error == .busy ? SQLITE_BUSY : SQLITE_CANTOPEN, message: message, systemCode: code)
    }
  }

  /// Retries `body` while another process holds a lock, until the deadline.
  func retrying<Value>(
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
