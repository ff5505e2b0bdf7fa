// SPDX-License-Identifier: MIT
// The default store: one SQLite database for each user and group.

import CSQLite
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
        let before = self.version(of: selection, state)
        let list = self.listVersion(of: selection, state)
        var selection = selection
        selection.ranges = selection.since.flatMap { list?.changes(since: $0) }
        let (records, condition) = try connection.transaction("BEGIN") {
          () throws(SQLiteFailure) in
          try self.read(selection, connection, location, limits)
        }
        // The records may or may not include a commit between the two reads. Such a snapshot is not cached.
        let after = self.version(of: selection, state)
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
