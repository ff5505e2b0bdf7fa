// SPDX-License-Identifier: MIT
// Writing to the SQLite store: one transaction, which also updates the change counters.

import CSQLite
import TesseraCache
import TesseraEngine

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
