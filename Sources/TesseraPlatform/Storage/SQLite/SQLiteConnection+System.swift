// SPDX-License-Identifier: MIT
// Connections on systems that lack some kinds of locks or of shared memory.

import CSQLite
import CTesseraStore
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SQLiteConnection {
  /// Whether the file system cannot share memory between processes, so that no index of a log can be written.
  var cannotShareMemory: Bool { withDatabase { ctessera_why_no_index($0) == ENODEV } }

  /// Runs something that may fail because the index of the log is refused for a reason of the system.
  func tolerating(
    _ reason: Int32, _ body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      try body()
    } catch {
      guard withDatabase({ ctessera_why_no_index($0) }) == reason else { throw error }
    }
  }

  /// Keeps other copies of the library out, where only POSIX locks protect the database.
  ///
  /// - Throws: when another copy in this process may use the database.
  func claimFile(_ path: String) throws(SQLiteFailure) {
    guard withDatabase({ ctessera_has_process_locks($0) }), let file = FileIdentity(at: path)
    else { return }
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try ProcessLocks.claim(file, path: path)
    }
  }

  /// Gives a database a rollback journal in place of its log, which nothing can write without shared memory.
  ///
  /// With exclusive locking from the start, SQLite keeps the index of the log in its own memory.
  static func removeLog(of path: String) throws(SQLiteFailure) {
    let connection = try SQLiteConnection(path: path, modeFrom: nil)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;")
  }
}
