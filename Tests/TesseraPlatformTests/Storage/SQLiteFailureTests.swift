// SPDX-License-Identifier: MIT
// What SQLite's words mean for the user.

import CSQLite
import TesseraEngine
import Testing

@testable import TesseraPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct SQLiteFailureTests {
  private let path = "/store/default.db"

  @Test(arguments: [
    SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory"),
    SQLiteFailure(code: SQLITE_CANTOPEN, message: "unable to open", systemCode: EMFILE),
    SQLiteFailure(code: SQLITE_IOERR, message: "disk I/O error", systemCode: ENFILE),
  ])
  func `a program that has too little tries again`(_ failure: SQLiteFailure) {
    let error = TesseraError(failure, path)
    #expect(error.remedy == .retryLater)
    #expect(error.code == .storeBusy)
    #expect(error.message.contains(path))
  }

  @Test func `a full disk wants room, and damage a new sign-in`() {
    let full = SQLiteFailure(code: SQLITE_IOERR, message: "disk I/O error", systemCode: ENOSPC)
    #expect(TesseraError(full, path).code == .storeFull)
    #expect(TesseraError(.damaged("a page"), path).code == .cacheDamaged)
  }
}
