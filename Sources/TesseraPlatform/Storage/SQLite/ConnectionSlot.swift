// SPDX-License-Identifier: MIT
// A slot for a connection, used by one thread at a time.

import CLibrary
import Synchronization
import TesseraEngine

/// A slot for a connection, used by one thread at a time.
///
/// Only the thread that has set `isTaken` accesses the connection.
final class ConnectionSlot: @unchecked Sendable {
  private let isTaken = Atomic<Bool>(false)
  private var connection: SQLiteConnection?

  /// Runs `body` with exclusive access to the slot, waiting at most until the deadline of the call.
  ///
  /// - Parameter body: Receives the connection, or nil if none is open. It may replace either.
  /// - Throws: `storeBusy` at the deadline, `cancelled`, or `fixStorage` in a process that was forked while another
  ///   thread was inside SQLite.
  func use<Value>(
    _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var attempts = 0
    var pause = Backoff()
    while isTaken.exchange(true, ordering: .acquiring) {
      attempts += 1
      // Most calls take about ten microseconds. Sleeping would cost far more.
      if attempts < 100 { sched_yield() } else { try pause.wait(time, within: limits) }
    }
    defer { isTaken.store(false, ordering: .releasing) }
    return try SQLiteForkGuard.with { () throws(TesseraError) in try body(&connection) }
  }

  /// Closes the connection.
  ///
  /// Call it only if no thread uses the slot now or later.
  ///
  /// The log is not checkpointed, because other files may have the same names by now.
  func close() {
    connection?.disableCheckpointOnClose()
    connection = nil
  }
}
