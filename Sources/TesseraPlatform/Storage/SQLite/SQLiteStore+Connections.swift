// SPDX-License-Identifier: MIT
// What the SQLite store has open: connections, opened at the first call, and the freshness words.

import CSQLite
import Synchronization
import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SQLiteStore {
  /// How long a call waits for other processes if it has no deadline.
  static let patience: Int64 = 10_000

  /// What this process has open; after a fork(), or when another file took the place of the old one, nothing yet.
  func openState(_ location: StoreLocation) -> SQLiteState {
    let known = state.borrowed { $0 }
    if let known, known.isCurrent, !known.isOutdated { return known }
    if known != nil { log.write(.warning, "The store's files are opened anew.") }
    let new = state.replace(known, with: SQLiteState(location))
    known?.retire()
    return new
  }

  /// Runs with a connection of this process, opened if there is none.
  ///
  /// Damage that is met is remembered, so that the next commit looks at the whole database.
  func withConnection<Value>(
    _ use: SQLiteState.Use, _ location: StoreLocation, _ limits: CallLimits,
    _ body: (SQLiteConnection, SQLiteState) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    while true {
      let state = openState(location)
      if use == .writing { try lookAtFiles(state, location, limits) }
      let value = try state.use(use, time, within: limits) { slot throws(TesseraError) -> Value? in
        do throws(TesseraError) {
          let connection = try self.connection(&slot, state, location, limits, use)
          return try connection.map { connection throws(TesseraError) in
            try body(connection, state)
          }
        } catch {
          if error.code == .cacheDamaged { state.meetDamage() }
          // Where there was no room for the log's index, a connection stays one that only reads.
          if use == .writing, error.remedy == .fixStorage { slot = nil }
          throw error
        }
      }
      if let value = value ?? nil { return value }
      // Only now is the connection closed, which has a lock on the database.
      if use == .writing, state.needsJournal.exchange(false, ordering: .relaxed) {
        try retrying(location, limits) { () throws(SQLiteFailure) in
          try SQLiteConnection.removeLog(of: location.resolved().database)
        }
      }
      try pause.wait(time, within: limits)
    }
  }

  /// Makes the directory if it is missing, and refuses files that are not safe; what is open is looked at once a second.
  private func lookAtFiles(
    _ state: SQLiteState, _ location: StoreLocation, _ limits: CallLimits
  ) throws(TesseraError) {
    guard !state.isLookedAt else { return }
    if try location.identity() == nil { try keys.prepare(within: limits) }
    try location.makeDirectory()
    state.wasLookedAt()
  }

  /// The connection of a slot, opened if there is none; nil if the database was replaced in that very moment.
  private func connection(
    _ slot: inout SQLiteConnection?, _ state: SQLiteState, _ location: StoreLocation,
    _ limits: CallLimits, _ use: SQLiteState.Use
  ) throws(TesseraError) -> SQLiteConnection? {
    if let connection = slot {
      _ = try? words(state, connection, location)
      return connection
    }
    let before = try checkedIdentity(location, use)
    // Before the tables are looked at: another process may be making them.
    let hadCommits = location.hasHadCommits
    let (connection, contents) = try opened(location, limits, use, isNew: before == nil)
    try contents.check(location.database)
    // A log that was opened beside another database must not be written back into this one.
    guard let after = try location.identity(), before == nil || before == after,
      state.belongs(to: after)
    else { return nil }
    guard contents.tables > 0 || !hadCommits else {
      throw TesseraError(.commitsAreMissing, location.database)
    }
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.setWritesBack(true)
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
    guard state.belongsTogether() else { return nil }
    if contents.tables > 0 { _ = try? self.words(state, connection, location) }
    connection.descriptors = state.descriptors
    // A connection that reads a log without its index keeps others from removing the log.
    if !connection.isImmutable, !connection.cannotShareMemory { slot = connection }
    return connection
  }

  /// Prepares a new database; it has no log where memory cannot be shared.
  private func begin(
    _ connection: SQLiteConnection, _ state: SQLiteState, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let hasNoLog = location.isRemote || state.lacksSharedMemory.load(ordering: .relaxed)
    try connection.tolerating(ENODEV) { () throws(SQLiteFailure) in
      try SQLiteSchema.begin(connection, isRemote: hasNoLog)
    }
  }

  /// Whether a connection can be used as it is; false where nothing can write the log of the database.
  private func canWrite(
    _ connection: SQLiteConnection, _ location: StoreLocation, _ limits: CallLimits,
    _ use: SQLiteState.Use
  ) throws(TesseraError) -> Bool {
    guard use == .writing else { return true }
    // Opens the log.
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.tolerating(ENODEV) { () throws(SQLiteFailure) in
        _ = try connection.integer("PRAGMA user_version")
      }
    }
    return !connection.cannotShareMemory
  }

  /// A new connection, which does not write back a log until it is known that the log belongs to the database.
  private func opened(
    _ location: StoreLocation, _ limits: CallLimits, _ use: SQLiteState.Use, isNew: Bool
  ) throws(TesseraError) -> (SQLiteConnection, SQLiteSchema.Contents) {
    // A database that exists has its mode; a new one takes over that of a file of the locks.
    let modeFrom = isNew ? try location.makeModeFile() : nil
    let path = location.resolved().database
    return try retrying(location, limits) { () throws(SQLiteFailure) in
      do throws(SQLiteFailure) {
        let connection = try SQLiteConnection(path: path, modeFrom: modeFrom)
        try connection.keepLog()
        try connection.setWritesBack(false)
        return (connection, try SQLiteSchema.contents(connection))
      } catch {
        // Without a log, in a directory where none can be made, the database is all there is: read it once.
        guard [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code), use == .reading,
          FileIdentity(at: path + "-wal")?.size ?? 0 == 0
        else { throw error }
        let connection = try SQLiteConnection(path: path, modeFrom: nil, isImmutable: true)
        return (connection, try SQLiteSchema.contents(connection))
      }
    }
  }

  /// Which database is there, if it may be opened; nil for none, which only a writer may make.
  ///
  /// - Throws: `signIn` for one that was emptied: SQLite would take it for a new one, and remove its log; and while another
  ///   one is put in the place of a damaged one.
  private func checkedIdentity(
    _ location: StoreLocation, _ use: SQLiteState.Use
  ) throws(TesseraError) -> FileIdentity? {
    try location.checkSafety()
    // A new database has a page before it has tables and a freshness word; looked at in this order, it cannot be one.
    let hadFreshness = location.hasFreshness
    let identity = try location.identity()
    guard identity != nil || use == .writing else {
      throw StoreLocation.failure("open", location.database, ENOENT)
    }
    // A database made now would be overwritten by the one that is about to come, or keep it out for ever.
    if identity == nil, location.isBetween { throw location.movedAway }
    guard let identity, identity.size == 0, hadFreshness else { return identity }
    throw TesseraError(
      .signIn, .cacheDamaged, "\(location.database) was emptied. Sign in again to begin anew.")
  }

  /// The state of what a call sees; nil if that can't be told.
  func version(of selection: SnapshotSelection, _ state: SQLiteState) -> StoreVersion? {
    guard let parts = StoreShards.parts(seenBy: selection) else { return nil }
    return state.words.borrowed { $0?.version(of: parts) }
  }

  /// The state of the list that a call asks for; nil if it asks for none, or that can't be told.
  func listState(of selection: SnapshotSelection, _ state: SQLiteState) -> ListState? {
    guard selection.everyAccount else { return nil }
    return state.words.borrowed { $0?.listState(state.opening) }
  }

  /// The freshness words, to read.
  private func words(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = state.words.borrowed { $0 }
    // Words whose file says nothing any more are told again by the next writer.
    guard known == nil || known?.isReplaced == true else { return }
    if let known { state.retire(known) }
    guard let identity = try connection.integer("SELECT identity FROM store") else { return }
    // Where they can't be reached, every call reads the database.
    let words = try? ChangeCounters(
      path: location.freshness, identity: UInt64(bitPattern: identity), repairs: false)
    if let words { _ = state.words.replace(known, with: words) }
  }

  /// The freshness words, to write: only inside a write transaction.
  ///
  /// Without them other processes would go on believing what they remember.
  func wordsToWrite(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> ChangeCounters {
    let known = state.words.borrowed { $0 }
    if let known, known.isOurs || known.restore() { return known }
    if let known { state.retire(known) }
    let identity = UInt64(bitPattern: try connection.integer("SELECT identity FROM store") ?? 0)
    do throws(FreshnessProblem) {
      let words = try ChangeCounters(path: location.freshness, identity: identity, repairs: true)
      return state.words.replace(known, with: words)
    } catch {
      let code = errno
      let message = "\(location.freshness) can't be used"
      throw SQLiteFailure(
        code: error == .busy ? SQLITE_BUSY : SQLITE_CANTOPEN, message: message, systemCode: code)
    }
  }

  /// Tries again while another process writes, until the deadline.
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
