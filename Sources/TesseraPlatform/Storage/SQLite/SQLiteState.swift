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
final class SQLiteState: @unchecked Sendable {
  private let process = getpid()
  private let device = Atomic<UInt>(0)
  private let inode = Atomic<UInt>(0)
  private let path: UnsafePointer<CChar>?
  private let lastLook = Atomic<Int>(0)
  /// The way to the files.
  let files = SQLiteFiles()
  /// Reads; with WAL a reader never waits for a writer.
  let reader = ConnectionSlot()
  /// Writes.
  let writer = ConnectionSlot()
  /// Tells whether anybody committed; nil until it could be mapped.
  let word = AtomicReference<FreshnessWord>()

  /// Nothing is open yet.
  init(path: String) {
    self.path = UnsafePointer(strdup(path))
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: path))
  }

  /// Whether another thread of the parent was using SQLite when this process forked: its locks stay held for ever.
  var wasInUseAtFork: Bool {
    process != getpid() && (reader.isInUse || writer.isInUse)
  }

  /// Whether the file is still where it was, looked at once a second at most.
  ///
  /// The freshness word cannot tell that the files were deleted, or restored from a copy.
  var isInPlace: Bool {
    var now = timespec()
    clock_gettime(SQLiteState.quickClock, &now)
    guard lastLook.load(ordering: .relaxed) != now.tv_sec, let path else { return true }
    guard inode.load(ordering: .acquiring) == 0 || isCurrent(FileIdentity(at: path)) else {
      return false
    }
    lastLook.store(now.tv_sec, ordering: .relaxed)
    return true
  }

  /// A clock that costs a few nanoseconds and is good to some milliseconds.
  private static var quickClock: clockid_t {
    #if os(Linux)
      CLOCK_MONOTONIC_COARSE
    #else
      CLOCK_MONOTONIC
    #endif
  }

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

  init(device: UInt, inode: UInt) {
    self.device = device
    self.inode = inode
  }

  /// The file at a path; nil if there is none.
  ///
  /// It is never opened for that: closing it would drop the locks of every connection in this process.
  init?(at path: UnsafePointer<CChar>) {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    device = UInt(truncatingIfNeeded: status.st_dev)
    inode = UInt(truncatingIfNeeded: status.st_ino)
  }
}

/// A place for a connection that one thread at a time uses.
///
/// The one mutable member is only touched by whoever has exchanged `isTaken`.
final class ConnectionSlot: @unchecked Sendable {
  private let isTaken = Atomic<Bool>(false)
  private var connection: SQLiteConnection?

  /// Whether a thread is using the connection.
  var isInUse: Bool { isTaken.load(ordering: .acquiring) }

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
