// SPDX-License-Identifier: MIT
// Workarounds for systems without open file description locks or shared memory.

import CLibrary
import CSQLite
import CTesseraStore
import TesseraEngine

extension SQLiteConnection {
  /// Whether the file system does not support shared memory between processes, so that the log index cannot be written.
  var cannotShareMemory: Bool { withDatabase { ctessera_index_errno($0) == ENODEV } }

  /// Runs `body`, ignoring a failure if the log index was refused with the given `errno` value.
  func ignoringIndexErrno(
    _ reason: Int32, _ body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      try body()
    } catch {
      guard withDatabase({ ctessera_index_errno($0) }) == reason else { throw error }
    }
  }

  /// Excludes other copies of the library in this process if the database is protected only by POSIX locks.
  ///
  /// - Throws: An error if another copy in this process may be using the database.
  func claimFile(_ path: String) throws(SQLiteFailure) {
    guard withDatabase({ ctessera_has_process_locks($0) }), let file = FileIdentity(at: path)
    else { return }
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try ProcessLocks.claim(file, path: path)
    }
  }

  /// Switches a database from a write-ahead log to a rollback journal, because no process can write the log without
  /// shared memory.
  ///
  /// With exclusive locking from the start, SQLite keeps the log index in its own heap memory.
  static func removeLog(of path: String) throws(SQLiteFailure) {
    let connection = try SQLiteConnection(path: path, modeFrom: nil)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;")
  }
}
