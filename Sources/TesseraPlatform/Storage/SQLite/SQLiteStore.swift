// SPDX-License-Identifier: MIT
// The store in SQLite.

import CLibrary
import CSQLite
import Synchronization
package import TesseraCache
package import TesseraEngine

/// A credential store in SQLite, shared by all applications of the user with the same group.
///
/// No file is opened before the first call. Reading a store that does not exist creates nothing.
package final class SQLiteStore: CredentialStore {
  let group: String
  let directory: String?
  let time: any TimeSource
  let log: TesseraLog
  let state = AtomicReference<SQLiteState>()
  /// The number of used bytes above which access tokens are evicted; nil for no limit.
  let limitBytes: Int64?
  let keys: StoreKeys
  let locks = StoreLocks()

  /// Creates a store without opening files.
  ///
  /// - Parameters:
  ///   - group: The name of the group.
  ///   - directory: The directory of the store; nil for the user's data directory.
  ///   - protection: The provider of the store's key.
  ///   - limitBytes: The number of used bytes above which access tokens are evicted; nil to evict only expired ones.
  package init(
    group: String, directory: String?, protection: any KeyProtection, limitBytes: Int64? = nil,
    time: any TimeSource, log: TesseraLog = .silent
  ) {
    self.limitBytes = limitBytes
    self.group = group
    self.directory = directory
    self.time = time
    self.log = log
    keys = StoreKeys(protection, log)
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    state.satisfies { state in state.isInPlace && state.counters.satisfies { $0.isCurrent(version) }
    }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time)
    guard try exists(location, limits) else {
      return CacheSnapshot(records: [], version: nil, condition: location.missingCondition)
    }
    return try withConnection(.reading, location, limits) {
      connection, state throws(TesseraError) in
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        let memory = ReadMemory(selection)
        let before = self.version(of: memory.shards, state)
        let list = self.listVersion(of: selection, state)
        var selection = selection
        selection.ranges = selection.since.flatMap { list?.changes(since: $0) }
        let (records, condition) = try connection.transaction("BEGIN") {
          () throws(SQLiteFailure) in
          try self.read(selection, memory, connection, location, limits)
        }
        // The records may or may not include a commit between the two reads. Such a snapshot is not cached.
        let after = self.version(of: memory.shards, state)
        var snapshot = CacheSnapshot(
          records: records, version: before == after ? before : nil, condition: condition)
        snapshot.ranges = selection.ranges
        snapshot.list = snapshot.version == nil ? nil : list
        return snapshot
      }
    }
  }

  @discardableResult
  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time)
    if location.isReplacing {
      return try commitToDamagedStore(change, location, limits)
    }
    do throws(TesseraError) {
      return try commitOnce(change, location, limits)
    } catch {
      guard error.code == .cacheDamaged, change.justifiesReplacement else { throw error }
      return try commitToDamagedStore(change, location, limits)
    }
  }

  /// Commits to the existing database.
  ///
  /// An empty change only reserves space: SQLite commits nothing unless the database is new.
  ///
  /// - Parameter holdsStoreLock: Whether the caller holds the store lock, under which a missing key is created.
  func commitOnce(
    _ change: CacheChange, _ location: StoreLocation, _ limits: CallLimits,
    holdsStoreLock: Bool = false
  ) throws(TesseraError) -> CommitOutcome {
    // Discard a key that this commit did not use, because its source may lose it before the next commit.
    defer { if holdsStoreLock { _ = keys.takePrefetchedKey() } }
    // If the database was quarantined or replaced in the meantime, the change is lost with it: retry.
    for _ in 0..<3 {
      let attempt = try withConnection(.writing, location, limits) {
        connection, state throws(TesseraError) in
        let outcome = try self.retrying(location, limits) {
          () throws(SQLiteFailure) -> CommitOutcome? in
          guard try keys.prefetchKey(connection, within: limits, createsKey: holdsStoreLock) else {
            return nil
          }
          if state.needsCheck { try self.checkIntegrity(connection, state) }
          return try self.write(change, connection, state, location, limits)
        }
        guard let outcome else { return CommitAttempt.keyIsMissing }
        if change.removesSecrets || keys.needsWipe() { connection.wipeDeletedData() }
        return state.holdsCommits ? .done(outcome) : .wasReplaced
      }
      switch attempt {
      case .done(let outcome): return outcome
      case .wasReplaced: continue
      case .keyIsMissing:
        return try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
          () throws(TesseraError) in
          try commitOnce(change, location, limits, holdsStoreLock: true)
        }
      }
    }
    throw TesseraError(
      .retryLater, .storeBusy,
      "\(location.database) was replaced repeatedly while it was written. Try again.")
  }

  package func checkWritable(within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time)
    _ = try exists(location, limits)
    _ = try commitOnce(CacheChange(), location, limits)
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let location = try StoreLocation(group: group, directory: directory)
    try location.makeDirectory()
    return try locks.withLock(
      on: LockKey(credential), in: location.lockFiles, time, within: limits, body)
  }
}

/// The result of an attempt to commit.
private enum CommitAttempt {
  case done(CommitOutcome)
  /// The written database was replaced by another one.
  case wasReplaced
  /// Nothing was written, because a key must be created under the store lock first.
  case keyIsMissing
}

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
  func version(of shards: ShardPair?, _ state: SQLiteState) -> StoreVersion? {
    shards.flatMap { shards in state.counters.borrowed { $0?.version(of: shards) } }
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

extension SQLiteStore {
  /// Returns the selected records and the condition of the store.
  ///
  /// Call it inside a transaction.
  func read(
    _ selection: SnapshotSelection, _ memory: ReadMemory, _ connection: SQLiteConnection,
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) -> ([CacheRecord], StoreCondition) {
    // Read the count before the transaction starts: every commit that is durable by now must be in the database.
    let known = state.borrowed { state in
      state?.counters.borrowed { counters in counters.flatMap { RecordedCommits($0) } }
    }
    guard try SQLiteLayout.detect(connection) != .none else {
      // A database without tables that had commits was emptied while this process had it open.
      guard known?.hadCommits(location) != true else { throw SQLiteFailure.lostCommits }
      return ([], .empty)
    }
    let damage = DamagedRows(connection, now: nil)
    let table = SQLiteTable(
      connection, SQLiteRowCodec(reading: connection, keys, limits), damage, reading: memory)
    let records = try selection.records(in: table)
    let diagnosis = EmptyReadDiagnosis(connection, location)
    // The changes of a list do not show whether a refresh token was lost.
    let lacksRefreshToken = selection.ranges == nil && !memory.hasRefreshToken(records)
    let condition = try diagnosis.condition(selection, lacksRefreshToken: lacksRefreshToken, damage)
    // A call that found a credential can use it. Check for lost commits only if none was found.
    guard selection.allAccounts || !memory.hasCredential(records), let known,
      try known.hasLostCommits(in: connection, location)
    else { return (records, condition) }
    // Without the lost accounts, a list would look complete.
    guard !selection.allAccounts else { throw SQLiteFailure.lostCommits }
    return (
      records,
      .damaged("The latest commits of \(location.database) are missing. Sign in again.")
    )
  }

  /// Whether the database exists.
  ///
  /// Waits for a short time while a damaged database is being replaced.
  ///
  /// - Parameter completesReplacement: Whether to complete a replacement that another process left unfinished.
  func exists(
    _ location: StoreLocation, _ limits: CallLimits, completesReplacement: Bool = true
  ) throws(TesseraError) -> Bool {
    var pause = Backoff()
    for _ in 0..<6 {
      if try location.identity() != nil { return true }
      guard location.isReplacing else { break }
      try pause.wait(time, within: limits)
    }
    // A replacement that takes longer was interrupted: the replacing process has died, and one rename is missing.
    if completesReplacement, location.isReplacing {
      try? completeReplacementLocked(location, limits.atMost(milliseconds: 250, time))
    }
    return try location.identity() != nil
  }
}

extension StoreLocation {
  /// The condition of a store without a database.
  var missingCondition: StoreCondition {
    isReplacing ? .damaged(replacementPending.message) : .missing
  }

  /// The error of a call after the damaged database was moved away and before the new one is at its path.
  var replacementPending: TesseraError {
    TesseraError(
      .signIn, .cacheDamaged, "\(database) was damaged and quarantined. Sign in again.")
  }
}

extension SQLiteStore {
  /// The number of pages to reserve: twice as many as storing a token response usually takes.
  private static let commitPages: Int32 = 64

  /// Commits a change in one transaction.
  func write(
    _ change: CacheChange, _ connection: SQLiteConnection, _ state: SQLiteState,
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) -> CommitOutcome {
    var ending: (ChangeCounters, ChangeCounters.Commit)?
    var number: CommitNumber?
    let changes = connection.changes
    defer { if let (counters, commit) = ending { counters.endCommit(commit) } }
    let outcome = try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.upgrade(connection)
      var table = SQLiteTable(
        connection, try SQLiteRowCodec(writing: connection, keys, limits),
        DamagedRows(connection, now: time.now), RowMemory())
      let outcome = try change.apply(to: &table)
      try table.deleteQuarantinedRows(change)
      if change.steps.isEmpty {
        try connection.reserveLog(pages: SQLiteStore.commitPages)
      } else {
        try SQLiteEviction(connection, limitBytes).evict(at: time.clocks, in: table)
      }
      let counters = try countersForWriting(state, connection, location, limits)
      try SQLiteFailure.wrapping { () throws(TesseraError) in
        try counters.settle(time, within: limits)
      }
      if connection.changes != changes {
        number = try CommitNumber(next: connection, counters, location)
      }
      if !table.changedShards.isEmpty {
        ending = (counters, counters.beginCommit(table.changedShards))
      }
      return outcome
    }
    number?.markDurable()
    return outcome
  }

  /// Checks the whole database, after damage was found in a part that this commit may not access.
  func checkIntegrity(
    _ connection: SQLiteConnection, _ state: SQLiteState
  ) throws(SQLiteFailure) {
    var result = ""
    try connection.query("PRAGMA integrity_check(1)") { row in
      result = row.text(0)
      return true
    }
    guard result == "ok" else { throw SQLiteFailure.damaged(result) }
    state.clearDamage()
  }
}

extension SQLiteStore {
  package func rotateKey(
    to given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time)
    guard try exists(location, limits) else { return false }
    return try withConnection(.writing, location, limits) {
      connection, state throws(TesseraError) in
      let isRotated = try self.retrying(location, limits) { () throws(SQLiteFailure) in
        _ = try keys.prefetchKey(connection, within: limits, createsKey: false)
        if state.needsCheck { try self.checkIntegrity(connection, state) }
        return try self.rotate(given, connection, state, location, limits)
      }
      if keys.needsWipe() { connection.wipeDeletedData() }
      guard state.isCurrent else {
        throw TesseraError(
          .retryLater, .storeBusy,
          "\(location.database) was replaced during the key rotation. Try again.")
      }
      return isRotated
    }
  }

  private func rotate(
    _ given: StoreKey?, _ connection: SQLiteConnection, _ state: SQLiteState,
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) -> Bool {
    var number: CommitNumber?
    let isRotated = try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.upgrade(connection)
      guard try keys.rotate(to: given, connection, within: limits) else { return false }
      number = try CommitNumber(
        next: connection, try countersForWriting(state, connection, location, limits), location)
      return true
    }
    number?.markDurable()
    return isRotated
  }
}
