// SPDX-License-Identifier: MIT
// The default store: one SQLite database for each user and group.

internal import CSQLite
internal import Synchronization
package import TesseraCache
package import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Keeps credentials in SQLite, for every program of the user that names the same group.
///
/// Nothing is opened before the first call. Reading a store that does not exist makes nothing.
package final class SQLiteStore: CredentialStore {
  private let group: String
  private let directory: String?
  private let time: any TimeSource
  private let log: Log
  private let state = AtomicReference<SQLiteState>()
  private let word = AtomicReference<FreshnessWord>()

  /// The store of a group, in a directory or where the user's data lies.
  package init(group: String, directory: String?, time: any TimeSource, log: Log = .silent) {
    self.group = group
    self.directory = directory
    self.time = time
    self.log = log
  }

  package var version: StoreVersion? {
    word.borrowed { $0?.version }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let location = try StoreLocation(group: group, directory: directory)
    guard location.exists else { return CacheSnapshot(records: [], version: nil) }
    let state = openState()
    return try state.reader.use(time, within: limits) { slot throws(TesseraError) in
      let connection = try self.connection(&slot, location, limits)
      return try self.retrying(location, limits) { () throws(SQLiteFailure) in
        let before = self.version
        let records = try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
          try SQLiteTable(connection).records(selection)
        }
        // A commit between the two looks may or may not be in the records: such a snapshot is not remembered.
        return CacheSnapshot(records: records, version: before == self.version ? before : nil)
      }
    }
  }

  package func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    try location.makeDirectory()
    let state = openState()
    try state.writer.use(time, within: limits) { slot throws(TesseraError) in
      let connection = try self.connection(&slot, location, limits)
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        try connection.transaction("BEGIN IMMEDIATE", committing: self.word.borrowed { $0 }) {
          () throws(SQLiteFailure) in
          var table = SQLiteTable(connection)
          try change.apply(to: &table)
        }
      }
    }
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
  /// What this process has open; a child of fork() starts anew and leaves its parent's alone.
  private func openState() -> SQLiteState {
    let known = state.borrowed { $0 }
    if let known, known.process == getpid() { return known }
    return state.replace(known, with: SQLiteState())
  }

  private func connection(
    _ slot: inout SQLiteConnection?, _ location: StoreLocation, _ limits: CallLimits
  ) throws(TesseraError) -> SQLiteConnection {
    if let connection = slot { return connection }
    try location.checkSafety()
    try location.makeLockFile()
    let connection = try retrying(location, limits) { () throws(SQLiteFailure) in
      let connection = try SQLiteConnection(path: location.database, modeFrom: location.locks)
      try SQLiteSchema.prepare(connection)
      return connection
    }
    try SQLiteSchema.check(connection, path: location.database)
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try self.mapFreshness(connection, location)
    }
    slot = connection
    return connection
  }

  /// Maps the freshness word, and makes or repairs its file inside a write transaction if it is not there.
  private func mapFreshness(
    _ connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    guard word.borrowed({ $0 == nil }),
      let identity = try connection.integer("SELECT identity FROM store")
    else { return }
    let identifier = UInt64(bitPattern: identity)
    var mapped = FreshnessWord(path: location.freshness, identity: identifier, repairs: false)
    if mapped == nil {
      mapped = try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
        FreshnessWord(path: location.freshness, identity: identifier, repairs: true)
      }
    }
    guard let mapped else {
      return log.write(
        .warning, "The store's freshness word can't be mapped; every call reads the database.")
    }
    _ = word.replace(nil, with: mapped)
  }

  /// Tries again while another process writes, until the deadline (ten seconds if there is none).
  private func retrying<Value>(
    _ location: StoreLocation, _ limits: CallLimits, _ body: () throws(SQLiteFailure) -> Value
  ) throws(TesseraError) -> Value {
    var limits = limits
    if limits.deadlineNanoseconds == nil {
      limits.deadlineNanoseconds = time.monotonicNanoseconds &+ 10_000_000_000
    }
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
  /// Runs a transaction, and tells readers of the freshness word if it changes something.
  fileprivate func transaction<Value>(
    _ begin: String, committing word: FreshnessWord? = nil,
    _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try execute(begin)
    do throws(SQLiteFailure) {
      let value = try body()
      word?.beginCommit()
      defer { word?.endCommit() }
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}

extension TesseraError {
  /// What SQLite said, as an error with advice.
  fileprivate init(_ failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .fixStorage, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Move it away to start anew; nothing was overwritten."
      )
    case SQLITE_FULL:
      self.init(
        .fixStorage, .storeFull, "There is no room to write \(path). Make room on the disk.")
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) can't be used (\(failure.message)). Correct its permissions or choose another store_directory."
      )
    }
  }
}
