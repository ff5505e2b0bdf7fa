// SPDX-License-Identifier: MIT
// How the SQLite store reads: the records of one transaction, and what the store is like if there are none.

import TesseraCache
import TesseraEngine

extension SQLiteStore {
  /// The records that a call needs, inside a transaction.
  func read(
    _ selection: SnapshotSelection, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> ([CacheRecord], StoreCondition) {
    // Before the transaction has read anything: what is on disk by now has to be in it.
    let known = state.borrowed { state in
      state?.words.borrowed { words in words.flatMap { KnownCommits($0) } }
    }
    guard try SQLiteLayout.follow(connection) != .none else {
      // Without tables after commits, it was emptied under a program that has it open.
      guard known?.hadCommits(location) != true else { throw SQLiteFailure.commitsAreMissing }
      return ([], .empty)
    }
    let damage = SQLiteRowDamage(connection, now: nil)
    let table = SQLiteTable(
      connection, SQLiteRowCodec(reading: connection, keys, limits), damage)
    let records = try table.records(selection)
    let look = EmptyReadDiagnosis(connection, location)
    // What is only new in a list says nothing of the store.
    let lacks = selection.ranges == nil && !records.contains(where: \.isRefreshToken)
    let condition = try look.condition(selection, lacks: lacks, damage)
    // A call that found something believes it: what is lost is what was not found.
    guard selection.everyAccount || !records.contains(where: \.isCredential), let known,
      try known.areMissing(in: connection, location)
    else { return (records, condition) }
    // A list without those that are lost would be taken for all there are.
    guard !selection.everyAccount else { throw SQLiteFailure.commitsAreMissing }
    return (
      records,
      .damaged("\(location.database) has lost its latest commits. Sign in again.")
    )
  }

  /// Whether there is a database; while one is put in place of a damaged one, for a moment there is none.
  ///
  /// - Parameter finishes: whether what somebody died over may be finished.
  func isThere(
    _ location: StoreLocation, _ limits: CallLimits, finishes: Bool = true
  ) throws(TesseraError) -> Bool {
    var pause = Backoff()
    for _ in 0..<6 {
      if try location.identity() != nil { return true }
      guard location.isBetween else { break }
      try pause.wait(time, within: limits)
    }
    // Longer only if whoever did it has died: what is still missing is one renaming.
    if finishes, location.isBetween {
      try? finishAlone(location, limits.atMost(milliseconds: 250, time))
    }
    return try location.identity() != nil
  }
}

extension StoreLocation {
  /// What is to be said of a store that is not there.
  var absence: StoreCondition {
    isBetween ? .damaged(movedAway.message) : .missing
  }

  /// The error of a call that found the moment between the old database and the new one.
  var movedAway: TesseraError {
    TesseraError(
      .signIn, .cacheDamaged, "\(database) was damaged, and was moved away. Sign in again.")
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
