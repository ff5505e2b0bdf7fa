// SPDX-License-Identifier: MIT
// Direct changes of a store's database, bypassing the store.

import CSQLite

@testable import TesseraPlatform

/// Runs SQL on a database file with Tessera's VFS, because another one would not update the page checksums.
enum DatabaseEditor {
  /// An error of SQLite.
  struct Failure: Error {
    let code: Int32
  }

  /// Opens the file, runs the SQL and closes the file.
  static func run(_ sql: String, on path: String) throws {
    let files = try SQLiteVFS()
    var handle: OpaquePointer?
    defer { withExtendedLifetime(files) { _ = sqlite3_close_v2(handle) } }
    var code = open(path, &handle, files)
    if code == SQLITE_OK { code = sqlite3_exec(handle, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  /// Returns the first column of the first row as text; nil if there is no row or it is NULL.
  static func value(_ sql: String, of path: String) throws -> String? {
    let files = try SQLiteVFS()
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
    _ path: String, _ handle: inout OpaquePointer?, _ files: SQLiteVFS
  ) -> Int32 {
    sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, files.name)
  }
}
