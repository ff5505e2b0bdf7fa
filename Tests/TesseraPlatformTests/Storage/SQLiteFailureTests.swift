// SPDX-License-Identifier: MIT
// The mapping of SQLite errors to remedies and codes.

import CLibrary
import CSQLite
import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct SQLiteFailureTests {
  private let path = "/store/default.db"

  @Test(arguments: [
    SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory"),
    SQLiteFailure(code: SQLITE_CANTOPEN, message: "unable to open", systemCode: EMFILE),
    SQLiteFailure(code: SQLITE_IOERR, message: "disk I/O error", systemCode: ENFILE),
  ])
  func `a lack of memory or descriptors is store_busy with retry_later`(_ failure: SQLiteFailure) {
    let error = TesseraError(failure, path)
    #expect(error.remedy == .retryLater)
    #expect(error.code == .storeBusy)
    #expect(error.message.contains(path))
  }

  @Test func `a full disk is store_full, and damage is cache_damaged`() {
    let full = SQLiteFailure(code: SQLITE_IOERR, message: "disk I/O error", systemCode: ENOSPC)
    #expect(TesseraError(full, path).code == .storeFull)
    #expect(TesseraError(.damaged("a page"), path).code == .cacheDamaged)
  }
}
