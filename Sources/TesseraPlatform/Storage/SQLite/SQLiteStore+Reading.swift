// SPDX-License-Identifier: MIT
// Reading from the SQLite store: the records of one transaction, and the condition of the store if none were found.

import TesseraCache
import TesseraEngine

extension SQLiteStore {
  /// Returns the selected records and the condition of the store.
  ///
  /// Call it inside a transaction.
  func read(
    _ selection: SnapshotSelection, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
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
      connection, SQLiteRowCodec(reading: connection, keys, limits), damage)
    let records = try table.records(selection)
    let diagnosis = EmptyReadDiagnosis(connection, location)
    // The changes of a list do not show whether a refresh token was lost.
    let lacksRefreshToken = selection.ranges == nil && !records.contains(where: \.isRefreshToken)
    let condition = try diagnosis.condition(selection, lacksRefreshToken: lacksRefreshToken, damage)
    // A call that found a credential can use it. Check for lost commits only if none was found.
    guard selection.allAccounts || !records.contains(where: \.isCredential), let known,
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

extension CacheRecord {
  fileprivate var isCredential: Bool {
    if case .credential = self { true } else { false }
  }

  fileprivate var isRefreshToken: Bool {
    guard case .credential(let credential) = self else { return false }
    return credential.type.isRefreshToken
  }
}
