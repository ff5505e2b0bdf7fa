// SPDX-License-Identifier: MIT
// Changes a database behind the back of a store that has not opened it.

import CSQLite

@testable import TesseraPlatform

/// Runs SQL on a database file, through Tessera's way to it: another one would leave the sums of pages as they were.
enum DatabaseEditor {
  /// What SQLite said.
  struct Failure: Error {
    let code: Int32
  }

  /// Opens the file, runs the SQL and closes it again.
  static func run(_ sql: String, on path: String) throws {
    let files = SQLiteFiles()
    var handle: OpaquePointer?
    defer { withExtendedLifetime(files) { _ = sqlite3_close_v2(handle) } }
    var code = open(path, &handle, files)
    if code == SQLITE_OK { code = sqlite3_exec(handle, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  /// The first column of the first row, as text; nil for no row, and for null.
  static func value(_ sql: String, of path: String) throws -> String? {
    let files = SQLiteFiles()
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      withExtendedLifetime(files) { _ = sqlite3_close_v2(handle) }
    }
    var code = open(path, &handle, files)
    if code == SQLITE_OK { code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil) }
    guard code == SQLITE_OK else { throw Failure(code: code) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  private static func open(
    _ path: String, _ handle: inout OpaquePointer?, _ files: SQLiteFiles
  ) -> Int32 {
    sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, files.name)
  }
}
