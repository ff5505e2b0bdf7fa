// SPDX-License-Identifier: MIT
// The default store: one SQLite database for each user and group.

import CSQLite
package import TesseraCache
package import TesseraEngine

/// Keeps credentials in SQLite, for every program of the user that names the same group.
///
/// Nothing is opened before the first call. Reading a store that does not exist makes nothing.
package final class SQLiteStore: CredentialStore {
  let group: String
  let directory: String?
  let time: any TimeSource
  let log: Log
  let state = AtomicReference<SQLiteState>()
  /// Bytes from which access tokens make room; nil for no bound but their own.
  let limitBytes: Int64?
  let keys: StoreKeys
  let locks = StoreLocks()

  /// The store of a group, in a directory or where the user's data lies.
  ///
  /// - Parameters:
  ///   - protection: keeps the store's key.
  ///   - limitBytes: bytes from which access tokens make room; nil for no bound but their own expiry.
  package init(
    group: String, directory: String?, protection: any KeyProtection, limitBytes: Int64? = nil,
    time: any TimeSource, log: Log = .silent
  ) {
    self.limitBytes = limitBytes
    self.group = group
    self.directory = directory
    self.time = time
    self.log = log
    keys = StoreKeys(protection, log)
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    state.holds { state in state.isInPlace && state.words.holds { $0.isCurrent(version) } }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    guard try isThere(location, limits) else {
      return CacheSnapshot(records: [], version: nil, condition: location.absence)
    }
    return try withConnection(.reading, location, limits) {
      connection, state throws(TesseraError) in
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        let before = self.version(of: selection, state)
        let list = self.listState(of: selection, state)
        var selection = selection
        selection.ranges = selection.since.flatMap { list?.changes(since: $0) }
        let (records, condition) = try connection.transaction("BEGIN") {
          () throws(SQLiteFailure) in
          try self.read(selection, connection, location, limits)
        }
        // A commit between the two looks may or may not be in the records: such a snapshot is not remembered.
        let after = self.version(of: selection, state)
        var snapshot = CacheSnapshot(
          records: records, version: before == after ? before : nil, condition: condition)
        snapshot.ranges = selection.ranges
        snapshot.list = snapshot.version == nil ? nil : list
        return snapshot
      }
    }
  }

  package func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    if location.isBetween {
      return try commitBesideDamage(change, location, limits)
    }
    do throws(TesseraError) {
      try commitOnce(change, location, limits)
    } catch {
      guard error.code == .cacheDamaged, change.replacesDamage else { throw error }
      try commitBesideDamage(change, location, limits)
    }
  }

  /// Commits to the database that is there.
  ///
  /// - Parameter isAlone: whether the caller has the lock of the store, under which a key is made if there is none.
  func commitOnce(
    _ change: CacheChange, _ location: StoreLocation, _ limits: CallLimits, isAlone: Bool = false
  ) throws(TesseraError) {
    // A key that this commit did not use may be gone from its source by the next.
    defer { if isAlone { _ = keys.takeForeseen() } }
    // A database that was set aside or replaced meanwhile has taken the change with it.
    for _ in 0..<3 {
      let outcome = try withConnection(.writing, location, limits) {
        connection, state throws(TesseraError) in
        let hasKey = try self.retrying(location, limits) { () throws(SQLiteFailure) in
          guard try keys.foresee(connection, within: limits, makes: isAlone) else { return false }
          if state.isDoubtful { try self.lookAtAll(connection, state) }
          try self.write(change, connection, state, location, limits)
          return true
        }
        guard hasKey else { return CommitOutcome.keyIsMissing }
        if change.removesSecrets || keys.takeRemains() { connection.clearRemains() }
        return state.holdsCommits ? .done : .wasReplaced
      }
      switch outcome {
      case .done: return
      case .wasReplaced: continue
      case .keyIsMissing:
        return try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
          () throws(TesseraError) in
          try commitOnce(change, location, limits, isAlone: true)
        }
      }
    }
    throw TesseraError(
      .retryLater, .storeBusy,
      "\(location.database) was replaced again and again while it was being written.")
  }

  package func prove(within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    _ = try isThere(location, limits)
    try commitOnce(CacheChange(), location, limits)
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let location = try StoreLocation(group: group, directory: directory)
    try location.makeDirectory()
    return try locks.withLock(
      on: LockPlace(credential), in: location.lockFiles, time, within: limits, body)
  }
}

/// What became of a commit.
private enum CommitOutcome {
  case done
  /// Another database was put in the place of the one that was written.
  case wasReplaced
  /// Nothing was written: somebody has to make a key first, alone.
  case keyIsMissing
}
