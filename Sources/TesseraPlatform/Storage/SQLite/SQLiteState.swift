// SPDX-License-Identifier: MIT
// What one process has open of a store: a connection that reads, one that writes, the freshness word.

internal import Synchronization
internal import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What one process has open of one database file.
///
/// A child of fork() must not touch its parent's, and a file that was put in place of the old one needs its own.
final class SQLiteState: Sendable {
  private let process = getpid()
  private let device = Atomic<UInt>(0)
  private let inode = Atomic<UInt>(0)
  /// Reads; with WAL a reader never waits for a writer.
  let reader = ConnectionSlot()
  /// Writes.
  let writer = ConnectionSlot()
  /// Tells whether anybody committed; nil until it could be mapped.
  let word = AtomicReference<FreshnessWord>()

  /// Whether it belongs to this process and to the file that is there now.
  func isCurrent(_ file: FileIdentity?) -> Bool {
    guard process == getpid() else { return false }
    let known = inode.load(ordering: .acquiring)
    // Before the first connection there is nothing that could be out of date.
    guard known != 0 else { return true }
    return file == FileIdentity(device: device.load(ordering: .acquiring), inode: known)
  }

  /// Remembers which file the connections have open.
  func belongs(to file: FileIdentity?) {
    guard let file else { return }
    device.store(file.device, ordering: .releasing)
    inode.store(file.inode, ordering: .releasing)
  }
}

/// Which file a path leads to.
struct FileIdentity: Equatable {
  let device: UInt
  let inode: UInt
}

/// A place for a connection that one thread at a time uses.
///
/// The one mutable member is only touched by whoever has exchanged `isTaken`.
final class ConnectionSlot: @unchecked Sendable {
  private let isTaken = Atomic<Bool>(false)
  private var connection: SQLiteConnection?

  /// Runs with the connection, or the place for one; waits no longer than the call may take.
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
    return try body(&connection)
  }
}
