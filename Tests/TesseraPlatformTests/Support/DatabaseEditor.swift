// SPDX-License-Identifier: MIT
// Changes a database behind the back of a store that has not opened it.

import CSQLite

/// Runs SQL on a database file.
enum DatabaseEditor {
  /// What SQLite said.
  struct Failure: Error {
    let code: Int32
  }

  /// Opens the file, runs the SQL and closes it again.
  static func run(_ sql: String, on path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    var code = sqlite3_open(path, &handle)
    if code == SQLITE_OK { code = sqlite3_exec(handle, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }
}
