// SPDX-License-Identifier: MIT
// Key rotation of the SQLite store: one transaction that encrypts all records with a new key.

import CSQLite
package import TesseraEngine

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
