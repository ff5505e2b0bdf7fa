// SPDX-License-Identifier: MIT
// Being inside SQLite: known to the whole process, and without the signal that a full file may send.

import CTesseraStore
import TesseraEngine

/// The calling thread inside SQLite.
enum SQLitePresence {
  /// Runs something that calls SQLite.
  ///
  /// - Throws: `fixStorage` in a process that was forked while another thread was in SQLite: a lock of SQLite may be held
  ///   there for ever, and a call that waits for it would never end.
  static func with<Value>(_ body: () throws(TesseraError) -> Value) throws(TesseraError) -> Value {
    guard ctessera_sqlite_enter() else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "This process was forked while another thread was using the token store: fork while no call is under way, or exec."
      )
    }
    defer { ctessera_sqlite_leave() }
    return try WithheldSignal.fileSize.withheld(during: body)
  }

  /// Runs something that calls SQLite, unless that is not possible any more.
  static func tryWith(_ body: () -> Void) {
    try? with { () throws(TesseraError) in body() }
  }
}
