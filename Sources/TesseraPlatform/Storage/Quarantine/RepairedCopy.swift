// SPDX-License-Identifier: MIT
// A readable copy of a database whose first page is damaged. That page is taken from a new database.

import CLibrary
import CSQLite
import CTesseraStore
import TesseraEngine

/// A readable copy of a damaged database, with the first page of a new database.
///
/// The first page records where each table starts, so no row can be read without it. The same statements in the same
/// order create all stores of a layout, so their tables start at the same pages. In an upgraded store, the tables may
/// start at other pages. The copy then contains no rows, or only rows that are rejected.
struct RepairedCopy {
  private let location: StoreLocation
  /// Throws if the call was cancelled or reached its deadline.
  private let checkLimits: () throws(TesseraError) -> Void

  init(of location: StoreLocation, checkLimits: @escaping () throws(TesseraError) -> Void) {
    self.location = location
    self.checkLimits = checkLimits
  }

  /// Creates the copy and opens it.
  ///
  /// ``QuarantinedFiles/deleteUnfinished()`` deletes it.
  ///
  /// - Parameter new: A new database with tables.
  /// - Throws: A failure of a system call. If the disk is full, no data is discarded.
  func opened(like new: SQLiteConnection) throws(SQLiteFailure) -> SQLiteConnection {
    let page = try RepairedCopy.firstPage(new)
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try copy("", beginning: page)
      for suffix in ["-wal", "-journal"] { try copy(suffix) }
    }
    return try SQLiteConnection(path: location.resolved().repair, modeFrom: nil)
  }

  /// Returns the first page of a database, without the header values that are specific to it.
  private static func firstPage(_ connection: SQLiteConnection) throws(SQLiteFailure) -> [UInt8] {
    let size = Int(clamping: try connection.integer("PRAGMA page_size") ?? 0)
    var page = try connection.contents(size)
    guard page.count == size, size > Header.size else {
      throw .damaged("its first page is missing")
    }
    // SQLite derives the page count from the file size if these two values differ ("The Database Header", 1.3.7).
    for index in Header.validFor {
      page[index] = ~page[index - Header.validFor.lowerBound + Header.changes]
    }
    for index in Header.freePages { page[index] = 0 }
    return page
  }

  /// The offsets of header values that are specific to a database.
  private enum Header {
    static let size = 100
    static let changes = 24
    static let freePages = 32..<40
    static let validFor = 92..<96
  }

  /// Copies a file, and overwrites its beginning.
  private func copy(_ suffix: String, beginning: [UInt8] = []) throws(TesseraError) {
    let path = location.database + suffix
    let source = openFile(path, O_RDONLY | O_NOFOLLOW)
    guard source >= 0 else {
      if errno == ENOENT { return }
      throw .failed("open", path, errno)
    }
    // Where only POSIX locks protect the database, closing it would drop those of every connection of the process.
    defer { ctessera_close_keeping_locks(source) }
    let copy = location.repair + suffix
    let target = openFile(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard target >= 0 else { throw .failed("make", copy, errno) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      try checkLimits()
      let count = pread(source, &buffer, buffer.count, offset)
      guard count >= 0 else { throw .failed("read", path, errno) }
      guard count > 0 else { break }
      guard pwrite(target, buffer, count, offset) == count else {
        throw .failed("write", copy, errno)
      }
      offset += off_t(count)
    }
    guard pwrite(target, beginning, beginning.count, 0) == beginning.count else {
      throw .failed("write", copy, errno)
    }
  }
}
