// SPDX-License-Identifier: MIT
// The way to a store's files whose locks survive a fork() of the host; see CTesseraStore.

import CTesseraStore

/// A way to database files, known to SQLite as long as this object lives.
final class SQLiteFiles: @unchecked Sendable {
  private let vfs: OpaquePointer?

  init() {
    vfs = ctessera_vfs_create()
  }

  deinit {
    ctessera_vfs_free(vfs)
  }

  /// Lives for ever: a connection that is never closed goes on using it.
  func abandon() {
    _ = Unmanaged.passRetained(self)
  }

  /// The name to open a database with; nil for SQLite's own way, where the system has no such locks.
  var name: UnsafePointer<CChar>? {
    vfs.map { ctessera_vfs_name($0) }
  }
}
