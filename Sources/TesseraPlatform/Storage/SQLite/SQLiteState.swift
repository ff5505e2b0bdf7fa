// SPDX-License-Identifier: MIT
// What one process has open of a store: a connection that reads, one that writes, the freshness words.

import Synchronization
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What one process has open of one database file.
///
/// A child of fork() must not touch its parent's; a file that was put in place of the old one needs its own; and after the
/// host has closed all descriptors, their numbers may lead to files of its own.
final class SQLiteState: @unchecked Sendable {
  private let process = getpid()
  /// Tells this opening of the files from others.
  let opening = UInt64.random(in: 1...UInt64.max)
  /// Says whether the host has closed what is open here.
  let descriptors = OpenDescriptors()
  private let device = Atomic<UInt>(0)
  private let inode = Atomic<UInt>(0)
  private let lastLook = Atomic<Int>(0)
  private let lastLookAtRules = Atomic<Int>(-1)
  // Plain C strings, because every hit passes here and must not touch a reference count.
  private let database: UnsafePointer<CChar>?
  private let freshness: UnsafePointer<CChar>?
  private let log: CompanionFile
  private let index: CompanionFile
  private let reader = ConnectionSlot()
  private let writer = ConnectionSlot()
  private let metDamage = Atomic(false)
  private let uses = UseCount()
  /// Whether a writer found a log that nothing can write; the database then gets a rollback journal.
  let needsJournal = Atomic(false)
  /// Whether that has happened before; then a new database gets no log.
  let lacksSharedMemory = Atomic(false)
  private let replacedWords = SpinLock<[ChangeCounters]>([])
  /// Tells whether anybody committed; nil until they could be reached.
  let words = AtomicReference<ChangeCounters>()

  /// Nothing is open yet.
  init(_ location: StoreLocation) {
    database = UnsafePointer(strdup(location.database))
    freshness = UnsafePointer(strdup(location.freshness))
    log = CompanionFile(location.database + "-wal")
    index = CompanionFile(location.database + "-shm")
  }

  deinit {
    // Numbers that may be the host's by now are not closed; a connection looks for itself.
    if !descriptors.areOpen { for word in allWords { word.abandon() } }
    free(UnsafeMutableRawPointer(mutating: database))
    free(UnsafeMutableRawPointer(mutating: freshness))
  }

  /// Whether the files are still where they were, looked at once a second at most.
  ///
  /// The freshness words cannot tell that the files were deleted, or restored from a copy.
  var isInPlace: Bool {
    let now = SQLiteState.second
    guard lastLook.load(ordering: .relaxed) != now else { return true }
    guard isCurrent, words.borrowed({ $0?.isOurs ?? true }) else { return false }
    lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// Whether a writer has looked in this second who may reach the files.
  var isLookedAt: Bool { lastLookAtRules.load(ordering: .relaxed) == SQLiteState.second }

  /// Remembers that a writer has looked, and found nothing that speaks against the files.
  func wasLookedAt() { lastLookAtRules.store(SQLiteState.second, ordering: .relaxed) }

  /// Whether it belongs to this process and to the files that are there now.
  var isCurrent: Bool {
    guard process == getpid(), descriptors.areOpen else { return false }
    let known = inode.load(ordering: .acquiring)
    // Before the first connection there is nothing that could be out of date.
    guard known != 0, let freshness else { return true }
    guard holdsCommits, index.isInPlace else { return false }
    return words.borrowed { word in
      guard let word else { return true }
      return FileIdentity(at: freshness) == word.file
    }
  }

  /// Whether what is committed is in the files that others find: the database and its log.
  var holdsCommits: Bool {
    guard let database, let found = FileIdentity(at: database) else { return false }
    let file = FileIdentity(
      device: device.load(ordering: .acquiring), inode: inode.load(ordering: .acquiring))
    return found == file && found.size > 0 && log.isInPlace
  }

  /// What a connection is for; with WAL a reader never waits for a writer.
  enum Use {
    case reading
    case writing
  }

  /// Remembers which file the connections have open; false if one of them has another one.
  func belongs(to file: FileIdentity) -> Bool {
    device.store(file.device, ordering: .relaxed)
    let known = inode.compareExchange(
      expected: 0, desired: file.inode, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == file.inode
  }

  /// Remembers which files SQLite keeps beside the database; false if a connection before has others open.
  func belongsTogether() -> Bool {
    let isSameLog = log.remember()
    return index.remember() && isSameLog
  }

  /// Remembers that something in the database was damaged, for every process, as far as they can be told.
  func meetDamage() {
    metDamage.store(true, ordering: .releasing)
    mark?.set(true)
  }

  /// Whether somebody met damage since the database was last looked at as a whole.
  var isDoubtful: Bool {
    metDamage.load(ordering: .acquiring)
      || words.borrowed { $0.map { DamageMark.isSet($0.member.descriptor) } } ?? mark?.isSet == true
  }

  /// Remembers that the whole database was looked at, and is sound.
  func isSound() {
    metDamage.store(false, ordering: .releasing)
    mark?.set(false)
  }

  private var mark: DamageMark? { freshness.map { DamageMark(path: $0) } }

  /// The second that it is, by a clock that costs a few nanoseconds and is good to some milliseconds.
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
  /// Runs with a connection, or the place for one; nil if these files are not used any more.
  func use<Value>(
    _ use: Use, _ time: any TimeSource, within limits: CallLimits,
    _ body: (inout SQLiteConnection?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value? {
    guard uses.begin() else { return nil }
    defer { if uses.end() { close() } }
    return try (use == .reading ? reader : writer).use(time, within: limits, body)
  }

  /// Closes what is open as soon as nobody uses it; what comes later uses another state.
  func retire() {
    if uses.retire() { close() }
  }

  /// Uses words no more that others have replaced; their file stays open as long as what else is open.
  func retire(_ known: ChangeCounters) {
    known.retire()
    replacedWords.withLock { words in
      if !words.contains(where: { $0 === known }) { words.append(known) }
    }
  }

  /// Whether words were replaced, so that the next call had better open everything anew.
  var isOutdated: Bool { replacedWords.withLock { !$0.isEmpty } }

  private func close() {
    reader.close()
    writer.close()
    // A thread may still be looking at the words: they stay in memory, only their file is closed.
    let areOurs = descriptors.areOpen
    for word in allWords {
      if areOurs { word.end() } else { word.abandon() }
    }
    descriptors.end()
  }

  private var allWords: [ChangeCounters] {
    words.borrowed { $0.map { [$0] } ?? [] } + replacedWords.withLock { $0 }
  }
}
