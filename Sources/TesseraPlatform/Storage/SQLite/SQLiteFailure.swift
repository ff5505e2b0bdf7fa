// SPDX-License-Identifier: MIT
// What SQLite says when it fails, and what that means for the user.

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

/// What SQLite said.
struct SQLiteFailure: Error {
  /// The primary result code.
  let code: Int32
  /// SQLite's own words; they name tables and files, never values.
  let message: String
  /// What the system said behind it; 0 for nothing.
  var systemCode: Int32 = 0
  /// What happened outside of SQLite, and says more than a code of it.
  var problem: TesseraError?
}

extension SQLiteFailure {
  /// What the latest call of a connection said.
  init(_ code: Int32, _ database: OpaquePointer?) {
    if code & 0xFF == SQLITE_IOERR, let database,
      sqlite3_extended_errcode(database) == SQLiteFailure.damagedPage
    {
      self = .damaged("a page is not as it was written")
      return
    }
    let isBeingMade = database.map { sqlite3_extended_errcode($0) } == SQLiteFailure.indexBeingMade
    self.init(
      code: isBeingMade ? SQLITE_BUSY : code & 0xFF,
      message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
      systemCode: database.map { SQLiteFailure.systemCode(code & 0xFF, $0) } ?? 0)
  }

  /// What the system said; a database that can only be read is one whose log has no index that could be written.
  private static func systemCode(_ code: Int32, _ database: OpaquePointer) -> Int32 {
    code == SQLITE_READONLY ? ctessera_why_no_index(database) : sqlite3_system_errno(database)
  }

  /// A problem outside of SQLite, in the middle of a transaction.
  init(_ problem: TesseraError) {
    self.init(code: SQLITE_ABORT, message: problem.message, problem: problem)
  }

  /// What is in the database cannot be.
  static func damaged(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: message)
  }

  /// `SQLITE_IOERR_DATA`: the sum of a page does not fit.
  private static let damagedPage = SQLITE_IOERR | 32 << 8

  /// `SQLITE_READONLY_RECOVERY`: somebody else is about to make the log's index, and this connection cannot.
  private static let indexBeingMade = SQLITE_READONLY | 1 << 8

  /// A newer version of Tessera wrote the database.
  static let tooNew = SQLiteFailure(code: SQLITE_SCHEMA, message: "the layout is newer")

  /// Runs something that fails otherwise than SQLite.
  static func wrapping<Value>(
    _ body: () throws(TesseraError) -> Value
  ) throws(SQLiteFailure) -> Value {
    do throws(TesseraError) {
      return try body()
    } catch {
      throw SQLiteFailure(error)
    }
  }

  /// Whether what is in the database cannot be.
  ///
  /// The statements are always the same: one that does not fit the tables (`SQLITE_ERROR`) meets tables that nobody made.
  var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code) && problem == nil
  }

  /// Whether there was no room for what had to be written.
  fileprivate var isFull: Bool {
    code == SQLITE_FULL
      || [ENOSPC, EDQUOT, EFBIG].contains(systemCode)
        && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY].contains(code)
  }
}

extension TesseraError {
  /// What SQLite said, as an error with advice.
  init(_ failure: SQLiteFailure, _ path: String) {
    if let problem = failure.problem {
      self = problem
      return
    }
    self = TesseraError(advising: failure, path)
    if failure.systemCode != 0 { self = caused(by: .system(failure.systemCode)) }
    self = caused(by: ErrorCause(.sqlite, Int64(failure.code), failure.message))
  }

  private init(advising failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case _ where StoreLocation.noDescriptorLeft.contains(failure.systemCode):
      self = .tooManyFiles(path)
    case SQLITE_NOMEM:
      self.init(
        .retryLater, .storeBusy,
        "\(path) can't be used: this program has no memory left. Try again when it has some.")
    case _ where failure.isFull:
      self.init(
        .fixStorage, .storeFull, "There is no room to write \(path). Make room on the disk.")
    case SQLITE_SCHEMA:
      self.init(
        .fixStorage, .storeTooNew,
        "\(path) was written by a newer version of Tessera. Update this program; nothing was changed."
      )
    case _ where failure.isDamage:
      self.init(
        .signIn, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Sign in again: that sets it aside and begins anew; nothing was overwritten."
      )
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) can't be used (\(failure.message)). Correct its permissions or choose another store_directory."
      )
    }
  }
}
