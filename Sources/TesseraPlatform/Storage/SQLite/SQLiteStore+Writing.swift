// SPDX-License-Identifier: MIT
// How the SQLite store writes: one transaction, known to everybody who remembers something.

import CSQLite
import TesseraCache
package import TesseraEngine

extension SQLiteStore {
  /// Does a change in one transaction.
  func write(
    _ change: CacheChange, _ connection: SQLiteConnection, _ state: SQLiteState,
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    var ending: (FreshnessWords, FreshnessWords.Commit)?
    var number: CommitNumber?
    let changes = connection.changes
    defer { if let (words, commit) = ending { words.endCommit(commit) } }
    try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.bringUp(connection)
      var table = SQLiteTable(
        connection, try SQLiteRowCodec(writing: connection, keys, limits),
        SQLiteRowDamage(connection, now: time.now))
      try change.apply(to: &table)
      try table.forgetAside(change)
      let words = try wordsToWrite(state, connection, location, limits)
      try SQLiteFailure.wrapping { () throws(TesseraError) in
        try words.settle(time, within: limits)
      }
      if connection.changes != changes {
        number = try CommitNumber(next: connection, words, location)
      }
      if !table.touched.isEmpty { ending = (words, words.beginCommit(table.touched)) }
    }
    number?.isOnDisk()
  }

  /// Makes a new key and seals every record with it; programs that have the store open go on with both.
  package func rotateKey(within limits: CallLimits) throws(TesseraError) {
    let location = try StoreLocation(group: group, directory: directory)
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    let state = openState(location)
    try state.writer.use(time, within: limits) { slot throws(TesseraError) in
      let connection = try self.connection(&slot, state, location, limits, isWriter: true)
      try self.retrying(location, limits) { () throws(SQLiteFailure) in
        try connection.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
          try SQLiteLayout.bringUp(connection)
          try keys.renew(try connection.newestSeal(), connection, within: limits)
        }
      }
      if keys.takeRemains() { connection.clearRemains() }
    }
  }
}
