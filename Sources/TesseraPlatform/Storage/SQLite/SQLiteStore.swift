// SPDX-License-Identifier: MIT
// The store in SQLite.

import CLibrary
import CSQLite
import CTesseraStore
import CTesseraSystem
import Synchronization
package import TesseraCache
package import TesseraEngine
import TesseraWire

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
    if location.isReplacing { return try commitToDamagedStore(change, location, limits) }
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
  // Not inlined, because it calls itself: its copies in the two callers would be ten times as large.
  @inline(never)
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
      try SQLiteLayout.upgrade(connection, within: limits, time)
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
      try SQLiteLayout.upgrade(connection, within: limits, time)
      guard try keys.rotate(to: given, connection, within: limits) else { return false }
      number = try CommitNumber(
        next: connection, try countersForWriting(state, connection, location, limits), location)
      return true
    }
    number?.markDurable()
    return isRotated
  }
}

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

/// The open files of one database in one process.
///
/// A child of fork() must not use those of its parent, and a replaced database file needs new ones. After the host
/// application has closed all descriptors, their numbers may refer to other files.
final class SQLiteState: @unchecked Sendable {
  private let process = getpid()
  /// A random ID, generated each time the files are opened.
  let opening = UInt64.random(in: 1...UInt64.max)
  /// The guard that detects closed descriptors.
  let descriptors = DescriptorGuard()
  private let device = Atomic<UInt>(0)
  private let inode = Atomic<UInt>(0)
  private let lastPlacementCheck = Atomic<Int>(0)
  private let lastFileCheck = Atomic<Int>(-1)
  // Plain C strings: every cache hit reads them and must not touch a reference count.
  private let database: UnsafePointer<CChar>?
  private let counterFile: UnsafePointer<CChar>?
  private let log: CompanionFile
  private let index: CompanionFile
  private let reader = ConnectionSlot()
  private let writer = ConnectionSlot()
  private let hasFoundDamage = Atomic(false)
  private let uses = UseCount()
  /// Whether a writer found a log that no process can write.
  ///
  /// The database then gets a rollback journal.
  let needsJournal = Atomic(false)
  /// Whether a writer has ever found such a log in this process.
  ///
  /// A new database then gets no log.
  let lacksSharedMemory = Atomic(false)
  private let replacedCounters = SpinLock<[ChangeCounters]>([])
  /// The change counters; nil until they are attached.
  let counters = AtomicReference<ChangeCounters>()

  /// Creates a state without open files.
  init(_ location: StoreLocation) {
    database = UnsafePointer(strdup(location.database))
    counterFile = UnsafePointer(strdup(location.counterFile))
    log = CompanionFile(location.database + "-wal")
    index = CompanionFile(location.database + "-shm")
  }

  deinit {
    // Descriptors that may belong to the host application are not closed. A connection checks this itself.
    if !descriptors.areOpen { for counters in allCounters { counters.abandon() } }
    free(UnsafeMutableRawPointer(mutating: database))
    free(UnsafeMutableRawPointer(mutating: counterFile))
  }

  /// Whether the files are still in place, checked at most once per second.
  ///
  /// The change counters do not change if the files are deleted or restored from a copy.
  var isInPlace: Bool {
    let now = SQLiteState.second
    guard lastPlacementCheck.load(ordering: .relaxed) != now else { return true }
    guard isCurrent, counters.borrowed({ $0?.isRecorded ?? true }) else { return false }
    lastPlacementCheck.store(now, ordering: .relaxed)
    return true
  }

  /// Whether a writer has checked the permissions of the files in the current second.
  var hasCheckedFiles: Bool { lastFileCheck.load(ordering: .relaxed) == SQLiteState.second }

  /// Records that a writer has checked the permissions of the files successfully.
  func markFilesChecked() { lastFileCheck.store(SQLiteState.second, ordering: .relaxed) }

  /// Whether the state belongs to this process and its files are still in place.
  var isCurrent: Bool {
    guard process == getpid(), descriptors.areOpen else { return false }
    let known = inode.load(ordering: .acquiring)
    // Before the first connection, nothing can be stale.
    guard known != 0 else { return true }
    guard let counterFile, holdsCommits, index.isInPlace else { return false }
    return counters.borrowed { counters in
      guard let counters else { return true }
      return FileIdentity(at: counterFile) == counters.file
    }
  }

  /// Whether commits are in the files that other processes open: the database and its log.
  var holdsCommits: Bool {
    guard let database, let found = FileIdentity(at: database) else { return false }
    let file = FileIdentity(
      device: device.load(ordering: .acquiring), inode: inode.load(ordering: .acquiring))
    return found == file && found.size > 0 && log.isInPlace
  }

  /// The use of a connection.
  ///
  /// In WAL mode, readers never wait for writers.
  enum Use {
    case reading
    case writing
  }

  /// Records the database file of a connection.
  ///
  /// Returns false if another connection has a different file open.
  func belongs(to file: FileIdentity) -> Bool {
    device.store(file.device, ordering: .relaxed)
    let known = inode.compareExchange(
      expected: 0, desired: file.inode, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == file.inode
  }

  /// Records the log and its index.
  ///
  /// Returns false if an earlier connection has different ones open.
  func recordCompanionFiles() -> Bool {
    let isSameLog = log.recordInode()
    return index.recordInode() && isSameLog
  }

  /// Records that damage was found, also for other processes if the change counter file is writable.
  func recordDamage() {
    hasFoundDamage.store(true, ordering: .releasing)
    damageFlag?.set(true)
  }

  /// Whether any process found damage since the last full check of the database.
  var needsCheck: Bool {
    hasFoundDamage.load(ordering: .acquiring)
      || counters.borrowed { $0.map { DamageFlag.isSet($0.member.descriptor) } }
        ?? damageFlag?.isSet == true
  }

  /// Records that a full check of the database found no damage.
  func clearDamage() {
    hasFoundDamage.store(false, ordering: .releasing)
    damageFlag?.set(false)
  }

  private var damageFlag: DamageFlag? { counterFile.map { DamageFlag(path: $0) } }

  /// The current second of a coarse monotonic clock, which takes a few nanoseconds and is accurate to milliseconds.
  private static var second: Int {
    var now = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    #else
      clock_gettime(CLOCK_MONOTONIC, &now)
    #endif
    return now.tv_sec
  }
}

extension SQLiteState {
  /// Runs `body` with a connection or an empty slot; returns nil if the state is retired.
  func use<Value>(
    _ use: Use, _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value? {
    guard uses.begin() else { return nil }
    defer { if uses.end() { close() } }
    return try (use == .reading ? reader : writer).use(time, within: limits, body)
  }

  /// Closes the files once no thread uses them.
  ///
  /// Later calls use another state.
  func retire() {
    if uses.retire() { close() }
  }

  /// Stops using change counters that another process has replaced.
  ///
  /// Their file stays open until this state is closed.
  func retire(_ known: ChangeCounters) {
    known.retire()
    replacedCounters.withLock { counters in
      if !counters.contains(where: { $0 === known }) { counters.append(known) }
    }
  }

  /// Whether change counters were replaced, so that the next call should reopen all files.
  var isOutdated: Bool { replacedCounters.withLock { !$0.isEmpty } }

  private func close() {
    reader.close()
    writer.close()
    // Another thread may still be reading the counters. Keep them in memory and close only their file.
    let areOurs = descriptors.areOpen
    for counters in allCounters {
      if areOurs { counters.end() } else { counters.abandon() }
    }
    descriptors.end()
  }

  private var allCounters: [ChangeCounters] {
    counters.borrowed { $0.map { [$0] } ?? [] } + replacedCounters.withLock { $0 }
  }
}

/// A slot for a connection, used by one thread at a time.
///
/// Only the thread that has set `isTaken` accesses the connection.
final class ConnectionSlot: @unchecked Sendable {
  private let isTaken = Atomic<Bool>(false)
  private var connection: SQLiteConnection?

  /// Runs `body` with exclusive access to the slot, waiting at most until the deadline of the call.
  ///
  /// - Parameter body: Receives the connection, or nil if none is open. It may replace either.
  /// - Throws: `storeBusy` at the deadline, `cancelled`, or `fixStorage` in a process that was forked while another
  ///   thread was inside SQLite.
  func use<Value>(
    _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var attempts = 0
    var pause = Backoff()
    while isTaken.exchange(true, ordering: .acquiring) {
      attempts += 1
      // Most calls take about ten microseconds. Sleeping would cost far more.
      if attempts < 100 { sched_yield() } else { try pause.wait(time, within: limits) }
    }
    defer { isTaken.store(false, ordering: .releasing) }
    return try SQLiteForkGuard.with { () throws(TesseraError) in try body(&connection) }
  }

  /// Closes the connection.
  ///
  /// Call it only if no thread uses the slot now or later.
  ///
  /// The log is not checkpointed, because other files may have the same names by now.
  func close() {
    connection?.disableCheckpointOnClose()
    connection = nil
  }
}

/// The write-ahead log of a database, or its index (`-shm`).
///
/// If another process removes the file, open connections and later ones use different files. They do not see each
/// other's commits, and both write to one database. SQLite does not detect this.
final class CompanionFile: @unchecked Sendable {
  // A plain C string, because the check is on the path of every call. If its allocation fails, the file counts as replaced.
  private let path: UnsafePointer<CChar>?
  private let inode = Atomic<UInt>(0)

  init(_ path: String) {
    self.path = UnsafePointer(strdup(path))
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: path))
  }

  /// Whether the path still refers to the recorded file; also true if no file is recorded.
  var isInPlace: Bool {
    guard let path else { return false }
    let known = inode.load(ordering: .acquiring)
    return known == 0 || FileIdentity(at: path)?.inode == known
  }

  /// Records the inode of the file that a connection has just opened.
  ///
  /// - Returns: Whether it is the file recorded before, if any.
  func recordInode() -> Bool {
    guard let path, let found = FileIdentity(at: path)?.inode else { return isInPlace }
    let known = inode.compareExchange(
      expected: 0, desired: found, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == found
  }
}

/// A guard that marks the calling thread as inside SQLite.
enum SQLiteForkGuard {
  /// Runs code that calls SQLite.
  ///
  /// - Throws: `fixStorage` in a process that was forked while another thread was inside SQLite. The child may have
  ///   inherited a locked mutex, and a call that waits for it would never return.
  static func with<Value>(_ body: () throws(TesseraError) -> Value) throws(TesseraError) -> Value {
    guard ctessera_sqlite_enter() else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "This process was forked while another thread was using the token store. Fork while no call is in progress, or call exec."
      )
    }
    defer { ctessera_sqlite_leave() }
    return try BlockedSignal.fileSize.blocked(during: body)
  }

  /// Runs code that calls SQLite; does nothing in a process in which SQLite must not be used any more.
  static func tryWith(_ body: () -> Void) {
    try? with { () throws(TesseraError) in body() }
  }
}

/// The diagnosis of a read that found nothing.
struct EmptyReadDiagnosis {
  private let connection: SQLiteConnection
  private let location: StoreLocation

  init(_ connection: SQLiteConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// Returns the condition of the store.
  ///
  /// Call it inside the transaction in which the records were read.
  ///
  /// - Parameter lacksRefreshToken: Whether the records include no refresh token, so that one of the account may have
  ///   been lost.
  func condition(
    _ selection: SnapshotSelection, lacksRefreshToken: Bool, _ damage: DamagedRows
  ) throws(SQLiteFailure) -> StoreCondition {
    guard damage.count == 0 else {
      return .damaged(
        "A record in \(location.database) is damaged. Sign in again: the damaged record is kept in quarantine."
      )
    }
    // A call that found a refresh token returns here, at no further cost.
    guard lacksRefreshToken, selection.owner != nil || selection.allAccounts else {
      return .usable
    }
    if let owner = selection.owner, try hasQuarantinedRows(owner) {
      return .damaged(
        "A record of this account in \(location.database) was damaged and is in quarantine. Sign in again."
      )
    }
    // Once the user has removed the quarantined file, the loss is no longer reported.
    if let file = try connection.note("damaged"),
      FileIdentity(at: "\(location.directory)/\(file)") != nil
    {
      return .damaged(
        "The token store was damaged and moved to \(location.directory)/\(file). Sign in again.")
    }
    return try hasAccounts() ? .usable : .empty
  }

  private func hasQuarantinedRows(_ owner: String) throws(SQLiteFailure) -> Bool {
    var found = false
    try connection.query(
      "SELECT 1 FROM aside WHERE owner = ? LIMIT 1", [.integer(RecordKey.number(of: owner))]
    ) { _ in
      found = true
      return false
    }
    return found
  }

  private func hasAccounts() throws(SQLiteFailure) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001) LIMIT 1
      """) != nil
  }
}
