// SPDX-License-Identifier: MIT
// A place for a connection that one thread at a time uses.

import Synchronization
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A place for a connection that one thread at a time uses.
///
/// The one mutable member is only touched by whoever has exchanged `isTaken`.
final class ConnectionSlot: @unchecked Sendable {
  private let isTaken = Atomic<Bool>(false)
  private var connection: SQLiteConnection?

  /// Runs with the connection, or the place for one; waits no longer than the call may take.
  ///
  /// - Throws: `fixStorage` in a process that was forked while another thread was in SQLite.
  func use<Value>(
    _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var looks = 0
    var pause = Backoff()
    while isTaken.exchange(true, ordering: .acquiring) {
      looks += 1
      // Most calls take some ten microseconds; a pause would cost far more.
      if looks < 100 { sched_yield() } else { try pause.wait(time, within: limits) }
    }
    defer { isTaken.store(false, ordering: .releasing) }
    return try SQLitePresence.with { () throws(TesseraError) in try body(&connection) }
  }

  /// Closes the connection, once nobody uses it or ever will.
  ///
  /// Its log is not written back: other files may have the names by now.
  func close() {
    connection?.leaveLog()
    connection = nil
  }
}
