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
    guard try SQLiteLayout.follow(connection) != .none else { return ([], .empty) }
    let damage = SQLiteRowDamage(connection, now: nil)
    let table = SQLiteTable(
      connection, SQLiteRowCodec(reading: connection, keys, limits), damage)
    let records = try table.records(selection)
    let look = StoreLook(connection, location)
    return (records, try look.condition(selection, isEmpty: records.isEmpty, damage))
  }
}
