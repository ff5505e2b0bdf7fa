// SPDX-License-Identifier: MIT
// What SQLite says when it fails, and what that means for the user.

internal import CSQLite
internal import TesseraEngine

/// What SQLite said.
struct SQLiteFailure: Error {
  /// The primary result code.
  let code: Int32
  /// SQLite's own words; they name tables and files, never values.
  let message: String
}

extension TesseraError {
  /// What SQLite said, as an error with advice.
  init(_ failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .fixStorage, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Move it away to start anew; nothing was overwritten."
      )
    case SQLITE_FULL:
      self.init(
        .fixStorage, .storeFull, "There is no room to write \(path). Make room on the disk.")
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) can't be used (\(failure.message)). Correct its permissions or choose another store_directory."
      )
    }
  }
}
