// SPDX-License-Identifier: MIT
// A copy of a database whose first page is damaged, with the first page of a new one in its place.

import CSQLite
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes a copy of a damaged database that can be read, since its first page is that of a new database.
///
/// The first page says where the tables begin: without it nothing can be read, however sound the rows are. Stores are made
/// by the same statements in the same order, so their tables begin at the same pages. One that was brought up from an
/// older layout has them elsewhere; then nothing is found, or rows that do not fit.
struct RepairedCopy {
  private let location: StoreLocation
  /// Ends the copying when the call has to end.
  private let checkLimits: () throws(TesseraError) -> Void

  init(of location: StoreLocation, checkLimits: @escaping () throws(TesseraError) -> Void) {
    self.location = location
    self.checkLimits = checkLimits
  }

  /// Makes the copy and opens it; ``QuarantinedFiles/removeNew()`` removes it.
  ///
  /// - Parameter new: a new database, with tables.
  /// - Throws: what the system said: where there is no room, nothing is given up for that.
  func opened(like new: SQLiteConnection) throws(SQLiteFailure) -> SQLiteConnection {
    let page = try RepairedCopy.firstPage(new)
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try copy("", beginning: page)
      for suffix in ["-wal", "-journal"] { try copy(suffix) }
    }
    return try SQLiteConnection(path: location.resolved().repair, modeFrom: nil)
  }

  /// The first page of a database, without what it says of that database alone.
  private static func firstPage(_ connection: SQLiteConnection) throws(SQLiteFailure) -> [UInt8] {
    let size = Int(clamping: try connection.integer("PRAGMA page_size") ?? 0)
    var page = try connection.contents(size)
    guard page.count == size, size > Head.size else { throw .damaged("it has no first page") }
    // SQLite looks for the size at the file where these two differ ("The Database Header", 1.3.7).
    for index in Head.validFor {
      page[index] = ~page[index - Head.validFor.lowerBound + Head.changes]
    }
    for index in Head.freePages { page[index] = 0 }
    return page
  }

  /// Where the head of a database has what is only that database's own.
  private enum Head {
    static let size = 100
    static let changes = 24
    static let freePages = 32..<40
    static let validFor = 92..<96
  }

  /// Copies a file, and writes something over its beginning.
  private func copy(_ suffix: String, beginning: [UInt8] = []) throws(TesseraError) {
    let path = location.database + suffix
    let source = openFile(path, O_RDONLY | O_NOFOLLOW)
    guard source >= 0 else {
      if errno == ENOENT { return }
      throw StoreLocation.failure("open", path, errno)
    }
    // Locks belong to descriptors, not to the process: closing this one gives none back.
    defer { close(source) }
    let copy = location.repair + suffix
    let target = openFile(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard target >= 0 else { throw StoreLocation.failure("make", copy, errno) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      try checkLimits()
      let count = pread(source, &buffer, buffer.count, offset)
      guard count >= 0 else { throw StoreLocation.failure("read", path, errno) }
      guard count > 0 else { break }
      guard pwrite(target, buffer, count, offset) == count else {
        throw StoreLocation.failure("write", copy, errno)
      }
      offset += off_t(count)
    }
    guard pwrite(target, beginning, beginning.count, 0) == beginning.count else {
      throw StoreLocation.failure("write", copy, errno)
    }
  }
}
