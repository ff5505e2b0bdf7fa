// SPDX-License-Identifier: MIT
// The state of an open store.

import CLibrary
import CTesseraStore
import Synchronization
import TesseraCache
import TesseraEngine

/// The open files of one database in one process.
///
/// A child of fork() must not use those of its parent, and a replaced database file needs new ones. After the host
/// application has closed all descriptors, their numbers may refer to other files.
final class SQLiteState: @unchecked Sendable {
  private let process = getpid()
  /// A random ID, generated each time the files are opened.
  let opening = UInt64.random(in: 1...UInt64.max)
  /// The guard that detects closed descriptors.
  let descriptors = DescriptorGuard()
  private let device = Atomic<UInt>(0)
  private let inode = Atomic<UInt>(0)
  private let lastPlacementCheck = Atomic<Int>(0)
  private let lastFileCheck = Atomic<Int>(-1)
  // Plain C strings: every cache hit reads them and must not touch a reference count.
  private let database: UnsafePointer<CChar>?
  private let counterFile: UnsafePointer<CChar>?
  private let log: CompanionFile
  private let index: CompanionFile
  private let reader = ConnectionSlot()
  private let writer = ConnectionSlot()
  private let hasFoundDamage = Atomic(false)
  private let uses = UseCount()
  /// Whether a writer found a log that no process can write.
  ///
  /// The database then gets a rollback journal.
  let needsJournal = Atomic(false)
  /// Whether a writer has ever found such a log in this process.
  ///
  /// A new database then gets no log.
  let lacksSharedMemory = Atomic(false)
  private let replacedCounters = SpinLock<[ChangeCounters]>([])
  /// The change counters; nil until they are attached.
  let counters = AtomicReference<ChangeCounters>()

  /// Creates a state without open files.
  init(_ location: StoreLocation) {
    database = UnsafePointer(strdup(location.database))
    counterFile = UnsafePointer(strdup(location.counterFile))
    log = CompanionFile(location.database + "-wal")
    index = CompanionFile(location.database + "-shm")
  }

  deinit {
    // Descriptors that may belong to the host application are not closed. A connection checks this itself.
    if !descriptors.areOpen { for counters in allCounters { counters.abandon() } }
    free(UnsafeMutableRawPointer(mutating: database))
    free(UnsafeMutableRawPointer(mutating: counterFile))
  }

  /// Whether the files are still in place, checked at most once per second.
  ///
  /// The change counters do not change if the files are deleted or restored from a copy.
  var isInPlace: Bool {
    let now = SQLiteState.second
    guard lastPlacementCheck.load(ordering: .relaxed) != now else { return true }
    guard isCurrent, counters.borrowed({ $0?.isRecorded ?? true }) else { return false }
    lastPlacementCheck.store(now, ordering: .relaxed)
    return true
  }

  /// Whether a writer has checked the permissions of the files in the current second.
  var hasCheckedFiles: Bool { lastFileCheck.load(ordering: .relaxed) == SQLiteState.second }

  /// Records that a writer has checked the permissions of the files successfully.
  func markFilesChecked() { lastFileCheck.store(SQLiteState.second, ordering: .relaxed) }

  /// Whether the state belongs to this process and its files are still in place.
  var isCurrent: Bool {
    guard process == getpid(), descriptors.areOpen else { return false }
    let known = inode.load(ordering: .acquiring)
    // Before the first connection, nothing can be stale.
    guard known != 0 else { return true }
    guard let counterFile, holdsCommits, index.isInPlace else { return false }
    return counters.borrowed { counters in
      guard let counters else { return true }
      return FileIdentity(at: counterFile) == counters.file
    }
  }

  /// Whether commits are in the files that other processes open: the database and its log.
  var holdsCommits: Bool {
    guard let database, let found = FileIdentity(at: database) else { return false }
    let file = FileIdentity(
      device: device.load(ordering: .acquiring), inode: inode.load(ordering: .acquiring))
    return found == file && found.size > 0 && log.isInPlace
  }

  /// The use of a connection.
  ///
  /// In WAL mode, readers never wait for writers.
  enum Use {
    case reading
    case writing
  }

  /// Records the database file of a connection.
  ///
  /// Returns false if another connection has a different file open.
  func belongs(to file: FileIdentity) -> Bool {
    device.store(file.device, ordering: .relaxed)
    let known = inode.compareExchange(
      expected: 0, desired: file.inode, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == file.inode
  }

  /// Records the log and its index.
  ///
  /// Returns false if an earlier connection has different ones open.
  func recordCompanionFiles() -> Bool {
    let isSameLog = log.recordInode()
    return index.recordInode() && isSameLog
  }

  /// Records that damage was found, also for other processes if the change counter file is writable.
  func recordDamage() {
    hasFoundDamage.store(true, ordering: .releasing)
    damageFlag?.set(true)
  }

  /// Whether any process found damage since the last full check of the database.
  var needsCheck: Bool {
    hasFoundDamage.load(ordering: .acquiring)
      || counters.borrowed { $0.map { DamageFlag.isSet($0.member.descriptor) } }
        ?? damageFlag?.isSet == true
  }

  /// Records that a full check of the database found no damage.
  func clearDamage() {
    hasFoundDamage.store(false, ordering: .releasing)
    damageFlag?.set(false)
  }

  private var damageFlag: DamageFlag? { counterFile.map { DamageFlag(path: $0) } }

  /// The current second of a coarse monotonic clock, which takes a few nanoseconds and is accurate to milliseconds.
  private static var second: Int {
    var now = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    #else
      clock_gettime(CLOCK_MONOTONIC, &now)
    #endif
    return now.tv_sec
  }
}

extension SQLiteState {
  /// Runs `body` with a connection or an empty slot; returns nil if the state is retired.
  func use<Value>(
    _ use: Use, _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value? {
    guard uses.begin() else { return nil }
    defer { if uses.end() { close() } }
    return try (use == .reading ? reader : writer).use(time, within: limits, body)
  }

  /// Closes the files once no thread uses them.
  ///
  /// Later calls use another state.
  func retire() {
    if uses.retire() { close() }
  }

  /// Stops using change counters that another process has replaced.
  ///
  /// Their file stays open until this state is closed.
  func retire(_ known: ChangeCounters) {
    known.retire()
    replacedCounters.withLock { counters in
      if !counters.contains(where: { $0 === known }) { counters.append(known) }
    }
  }

  /// Whether change counters were replaced, so that the next call should reopen all files.
  var isOutdated: Bool { replacedCounters.withLock { !$0.isEmpty } }

  private func close() {
    reader.close()
    writer.close()
    // Another thread may still be reading the counters. Keep them in memory and close only their file.
    let areOurs = descriptors.areOpen
    for counters in allCounters {
      if areOurs { counters.end() } else { counters.abandon() }
    }
    descriptors.end()
  }

  private var allCounters: [ChangeCounters] {
    counters.borrowed { $0.map { [$0] } ?? [] } + replacedCounters.withLock { $0 }
  }
}

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

/// The write-ahead log of a database, or its index (`-shm`).
///
/// If another process removes the file, open connections and later ones use different files. They do not see each
/// other's commits, and both write to one database. SQLite does not detect this.
final class CompanionFile: @unchecked Sendable {
  // A plain C string, because the check is on the path of every call. If its allocation fails, the file counts as replaced.
  private let path: UnsafePointer<CChar>?
  private let inode = Atomic<UInt>(0)

  init(_ path: String) {
    self.path = UnsafePointer(strdup(path))
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: path))
  }

  /// Whether the path still refers to the recorded file; also true if no file is recorded.
  var isInPlace: Bool {
    guard let path else { return false }
    let known = inode.load(ordering: .acquiring)
    return known == 0 || FileIdentity(at: path)?.inode == known
  }

  /// Records the inode of the file that a connection has just opened.
  ///
  /// - Returns: Whether it is the file recorded before, if any.
  func recordInode() -> Bool {
    guard let path, let found = FileIdentity(at: path)?.inode else { return isInPlace }
    let known = inode.compareExchange(
      expected: 0, desired: found, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == found
  }
}

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

/// The diagnosis of a read that found nothing.
struct EmptyReadDiagnosis {
  private let connection: SQLiteConnection
  private let location: StoreLocation

  init(_ connection: SQLiteConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// Returns the condition of the store.
  ///
  /// Call it inside the transaction in which the records were read.
  ///
  /// - Parameter lacksRefreshToken: Whether the records include no refresh token, so that one of the account may have
  ///   been lost.
  func condition(
    _ selection: SnapshotSelection, lacksRefreshToken: Bool, _ damage: DamagedRows
  ) throws(SQLiteFailure) -> StoreCondition {
    guard damage.count == 0 else {
      return .damaged(
        "A record in \(location.database) is damaged. Sign in again: the damaged record is kept in quarantine."
      )
    }
    // A call that found a refresh token returns here, at no further cost.
    guard lacksRefreshToken, selection.owner != nil || selection.allAccounts else {
      return .usable
    }
    if let owner = selection.owner, try hasQuarantinedRows(owner) {
      return .damaged(
        "A record of this account in \(location.database) was damaged and is in quarantine. Sign in again."
      )
    }
    // Once the user has removed the quarantined file, the loss is no longer reported.
    if let file = try connection.note("damaged"),
      FileIdentity(at: "\(location.directory)/\(file)") != nil
    {
      return .damaged(
        "The token store was damaged and moved to \(location.directory)/\(file). Sign in again.")
    }
    return try hasAccounts() ? .usable : .empty
  }

  private func hasQuarantinedRows(_ owner: String) throws(SQLiteFailure) -> Bool {
    var found = false
    try connection.query(
      "SELECT 1 FROM aside WHERE owner = ? LIMIT 1", [.integer(RecordKey.number(of: owner))]
    ) { _ in
      found = true
      return false
    }
    return found
  }

  private func hasAccounts() throws(SQLiteFailure) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001) LIMIT 1
      """) != nil
  }
}
