// SPDX-License-Identifier: MIT
// A SQLite VFS with open file description locks, which stay correct after a fork() of the host application.

import CSQLite
import CTesseraStore

/// A custom SQLite VFS, registered as long as this object lives.
final class SQLiteVFS: @unchecked Sendable {
  private let vfs: OpaquePointer?

  /// Registers the VFS.
  ///
  /// - Throws: `SQLITE_NOMEM` if memory is exhausted. SQLite's default VFS is not used instead: it would write pages
  ///   without checksums, which other processes report as damaged.
  init() throws(SQLiteFailure) {
    var made: OpaquePointer?
    let isMade = ctessera_vfs_create(&made)
    vfs = made
    guard isMade else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
  }

  deinit {
    ctessera_vfs_free(vfs)
  }

  /// Keeps the VFS registered forever, because a connection that is never closed continues to use it.
  func abandon() {
    _ = Unmanaged.passRetained(self)
  }

  /// The VFS name to open a database with; nil to use SQLite's default VFS on systems without such locks.
  var name: UnsafePointer<CChar>? {
    vfs.map { ctessera_vfs_name($0) }
  }
}
