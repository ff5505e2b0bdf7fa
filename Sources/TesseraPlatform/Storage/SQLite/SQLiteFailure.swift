// SPDX-License-Identifier: MIT
// What SQLite says when it fails, and what that means for the user.

import CSQLite
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What SQLite said.
struct SQLiteFailure: Error {
  /// The primary result code.
  let code: Int32
  /// SQLite's own words; they name tables and files, never values.
  let message: String
  /// What the system said behind it; 0 for nothing.
  var systemCode: Int32 = 0
}

extension SQLiteFailure {
  /// What the latest call of a connection said.
  init(_ code: Int32, _ database: OpaquePointer?) {
    self.init(
      code: code & 0xFF,
      message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
      systemCode: database.map { sqlite3_system_errno($0) } ?? 0)
  }

  /// Whether there was no room for what had to be written.
  fileprivate var isFull: Bool {
    code == SQLITE_FULL || [ENOSPC, EDQUOT, EFBIG].contains(systemCode) && code == SQLITE_IOERR
  }
}

extension TesseraError {
  /// What SQLite said, as an error with advice.
  init(_ failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case _ where failure.isFull:
      self.init(
        .fixStorage, .storeFull, "There is no room to write \(path). Make room on the disk.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .fixStorage, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Move it away to start anew; nothing was overwritten."
      )
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) can't be used (\(failure.message)). Correct its permissions or choose another store_directory."
      )
    }
  }
}
