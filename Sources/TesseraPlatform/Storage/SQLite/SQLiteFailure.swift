// SPDX-License-Identifier: MIT
// Errors of SQLite and their mapping to errors with a remedy.

import CLibrary
import CSQLite
import CTesseraStore
import TesseraEngine

/// An error of SQLite, or of code that runs inside a transaction.
struct SQLiteFailure: Error {
  /// The primary result code.
  let code: Int32
  /// SQLite's error message, which contains names of tables and files, but no values.
  let message: String
  /// The `errno` value of the underlying system call; 0 if there is none.
  var systemCode: Int32 = 0
  /// An error from outside SQLite, which is more specific than a result code.
  var problem: TesseraError?
}

extension SQLiteFailure {
  /// Creates an error from the latest call of a connection.
  init(_ code: Int32, _ database: OpaquePointer?) {
    if code & 0xFF == SQLITE_IOERR, let database,
      sqlite3_extended_errcode(database) == SQLiteFailure.damagedPage
    {
      self = .damaged("a page has an incorrect checksum")
      return
    }
    let isBeingCreated =
      database.map { sqlite3_extended_errcode($0) } == SQLiteFailure.indexBeingCreated
    self.init(
      code: isBeingCreated ? SQLITE_BUSY : code & 0xFF,
      message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
      systemCode: database.map { SQLiteFailure.systemCode(code & 0xFF, $0) } ?? 0)
  }

  /// Returns the `errno` value behind an error.
  ///
  /// For a read-only database, it is the reason why its log index is not writable.
  private static func systemCode(_ code: Int32, _ database: OpaquePointer) -> Int32 {
    code == SQLITE_READONLY ? ctessera_index_errno(database) : sqlite3_system_errno(database)
  }

  /// Wraps an error from outside SQLite that ends a transaction.
  init(_ problem: TesseraError) {
    self.init(code: SQLITE_ABORT, message: problem.message, problem: problem)
  }

  /// Returns the error for invalid database contents.
  static func damaged(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: message)
  }

  /// `SQLITE_IOERR_DATA`: the checksum of a page does not match.
  private static let damagedPage = SQLITE_IOERR | 32 << 8

  /// `SQLITE_READONLY_RECOVERY`: another process is creating the log index, and this connection is not able to.
  private static let indexBeingCreated = SQLITE_READONLY | 1 << 8

  /// A newer version of Tessera wrote the database.
  static let tooNew = SQLiteFailure(code: SQLITE_SCHEMA, message: "the layout is newer")

  /// Runs `body` and wraps its error.
  static func wrapping<Value>(
    _ body: () throws(TesseraError) -> Value
  ) throws(SQLiteFailure) -> Value {
    do throws(TesseraError) {
      return try body()
    } catch {
      throw SQLiteFailure(error)
    }
  }

  /// Whether the database contents are invalid.
  ///
  /// The SQL statements are constant. If one does not match the tables (`SQLITE_ERROR`), the tables are damaged.
  var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code) && problem == nil
  }

  /// Whether there was no disk space, quota or file size left.
  fileprivate var isFull: Bool {
    code == SQLITE_FULL
      || [ENOSPC, EDQUOT, EFBIG].contains(systemCode)
        && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY].contains(code)
  }
}

extension TesseraError {
  /// Creates an error with a remedy from a SQLite error.
  init(_ failure: SQLiteFailure, _ path: String) {
    if let problem = failure.problem {
      self = problem
      return
    }
    self = TesseraError(advising: failure, path)
    if failure.systemCode != 0 { self = caused(by: .system(failure.systemCode)) }
    self = caused(by: TesseraError.Cause(.sqlite, Int64(failure.code), failure.message))
  }

  private init(advising failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case _ where TesseraError.isDescriptorLimit(failure.systemCode):
      self = .tooManyFiles(path)
    case SQLITE_NOMEM:
      self.init(
        .retryLater, .storeBusy,
        "\(path) cannot be used: the process is out of memory. Free memory, and try again.")
    case _ where failure.isFull:
      self.init(
        .fixStorage, .storeFull, "No space left to write \(path). Free disk space.")
    case SQLITE_SCHEMA:
      self.init(
        .fixStorage, .storeTooNew,
        "\(path) was written by a newer version of Tessera. Update this application. Nothing was changed."
      )
    case _ where failure.isDamage:
      self.init(
        .signIn, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Sign in again: a sign-in quarantines it and creates a new store. Nothing was overwritten."
      )
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) cannot be used (\(failure.message)). Correct its permissions or choose another store.directory."
      )
    }
  }
}
