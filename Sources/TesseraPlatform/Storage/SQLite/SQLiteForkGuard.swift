// SPDX-License-Identifier: MIT
// Guard for calls into SQLite: fork safety, and suppression of the signal that a file size limit may raise.

import CTesseraStore
import TesseraEngine

/// A guard that marks the calling thread as inside SQLite.
enum SQLiteForkGuard {
  /// Runs code that calls SQLite.
  ///
  /// - Throws: `fixStorage` in a process that was forked while another thread was inside SQLite. The child may have
  ///   inherited a locked mutex, and a call that waits for it would never return.
  static func with<Value>(_ body: () throws(TesseraError) -> Value) throws(TesseraError) -> Value {
    guard ctessera_sqlite_enter() else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "This process was forked while another thread was using the token store. Fork while no call is in progress, or call exec."
      )
    }
    defer { ctessera_sqlite_leave() }
    return try BlockedSignal.fileSize.blocked(during: body)
  }

  /// Runs code that calls SQLite; does nothing in a process in which SQLite must not be used any more.
  static func tryWith(_ body: () -> Void) {
    try? with { () throws(TesseraError) in body() }
  }
}
