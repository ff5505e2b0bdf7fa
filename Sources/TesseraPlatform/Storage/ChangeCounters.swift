// SPDX-License-Identifier: MIT
// The change counters in shared memory.

import CLibrary
import CTesseraStore
import Synchronization
import TesseraCache
import TesseraEngine
import TesseraWire

/// Change counters shared by all processes, one per shard: even between commits, odd during a commit.
///
/// They change only shortly before or after the end of a write transaction. A killed writer leaves its counters odd.
/// Readers of these shards query the database until the next writer makes them even. A killed writer therefore slows
/// readers down, but never causes a stale read.
final class ChangeCounters: @unchecked Sendable {
  /// The time after which all processes have noticed a change of the file, in nanoseconds.
  ///
  /// They check once a second.
  private static let noticePeriod: UInt64 = 2_000_000_000

  let member: ChangeCounterMember
  let header: ChangeCounterFile.Header
  /// The segment; nil if all processes query the database.
  private let segment: ChangeCounterSegment?
  /// Whether these counters must no longer be used.
  private let isRetired = Atomic(false)
  /// Whether all processes use these counters by now.
  private let isSettled: Atomic<Bool>
  /// The monotonic time at which a writer first waited for `isSettled`, in nanoseconds; 0 before.
  private let settlingSince = Atomic<UInt64>(0)

  /// Attaches to the change counters of a database.
  ///
  /// - Parameter repairs: Whether to create or correct the file. Set it only inside a write transaction.
  init(path: String, identity: UInt64, repairs: Bool) throws(ChangeCounterError) {
    member = try ChangeCounterMember(path: path, creates: repairs)
    (header, segment) = try member.attach(identity, repairs: repairs)
    isSettled = Atomic(header.isSettled)
  }

  deinit {
    segment?.detach()
  }

  /// The identity of the change counter file.
  var file: FileIdentity { member.file }

  /// Returns the version of a shard; nil during a commit, or after a writer was killed during a commit.
  func version(of shard: Int) -> StoreVersion? {
    version(of: ShardPair(shard))
  }

  /// Returns the version of the shards that a call reads; nil during a commit, or after a writer was killed during one.
  func version(of shards: ShardPair) -> StoreVersion? {
    guard isRecorded, let one = load(shards.one), one & 1 == 0, let other = load(shards.other),
      other & 1 == 0
    else { return nil }
    return StoreVersion(
      identity: header.identity, shard: shards.one, commits: one, otherShard: shards.other,
      otherCommits: other)
  }

  /// Returns the version of the account list, for each range of accounts; nil if there is no segment.
  ///
  /// A counter may be odd. It then has a different value after the commit.
  ///
  /// - Parameter opening: A random ID, generated each time the database is opened.
  func listVersion(_ opening: UInt64) -> AccountListVersion? {
    guard segment != nil else { return nil }
    return AccountListVersion(
      identity: header.countersID ^ opening, ranges: StoreShards.ranges.map { load($0) ?? 0 })
  }

  /// Whether no commit has changed the shards since the version was read, according to the counters; see ``isRecorded``.
  func isCurrent(_ version: StoreVersion) -> Bool {
    version.identity == header.identity && !isRetired.load(ordering: .acquiring)
      && load(version.shard) == version.commits && load(version.otherShard) == version.otherCommits
  }

  /// Marks shards as changing.
  ///
  /// Call it inside the write transaction, just before its end.
  ///
  /// - Returns: The value to pass to ``endCommit(_:)``.
  func beginCommit(_ shards: StoreShards) -> Commit {
    // There is no other writer now. An odd counter was left by one that was killed, or has not called `endCommit` yet.
    for shard in StoreShards.all { end(shard, load(shard) ?? 0) }
    return Commit(
      counters: shards.numbers.compactMap { shard in
        guard let counter = segment?.counter(shard) else { return nil }
        let odd = counter.pointee.load(ordering: .sequentiallyConsistent) | 1
        counter.pointee.store(odd, ordering: .sequentiallyConsistent)
        return (shard, odd)
      })
  }

  /// Marks shards as no longer changing, whether or not the commit succeeded.
  ///
  /// The transaction has ended, so the next writer may already have changed a counter. Such a counter is left
  /// unchanged.
  func endCommit(_ commit: Commit) {
    for (shard, odd) in commit.counters { end(shard, odd) }
  }

  /// The counters that a commit has made odd.
  struct Commit {
    fileprivate let counters: [(shard: Int, odd: UInt64)]
  }
}

extension ChangeCounters {
  /// Whether the file still records these counters.
  ///
  /// Each process checks this at least once a second.
  var isRecorded: Bool {
    guard !isRetired.load(ordering: .acquiring),
      let found = ChangeCounterFile.header(member.descriptor)
    else { return false }
    return found.hasSameCounters(as: header)
  }

  /// Whether the file records other counters.
  var isReplaced: Bool {
    if isRetired.load(ordering: .acquiring) { return true }
    return ChangeCounterFile.header(member.descriptor).map { !$0.hasSameCounters(as: header) }
      ?? false
  }

  /// Writes the location of these counters to a file that was emptied.
  ///
  /// Call it only inside a write transaction.
  func restore() -> Bool {
    segment != nil && !isRetired.load(ordering: .acquiring) && member.restore(header)
  }

  /// Stops using the counters.
  func retire() {
    isRetired.store(true, ordering: .sequentiallyConsistent)
    member.releaseMemberLock()
  }

  /// Stops using the counters and closes their file.
  ///
  /// Threads that still use this object then query the database.
  func end() {
    retire()
    member.end()
  }

  /// Stops using the counters without closing their descriptor.
  ///
  /// The host application has closed the descriptor and may have reused its number.
  func abandon() { member.abandon() }

  /// Waits until no process uses other counters.
  ///
  /// Call it only inside a write transaction.
  ///
  /// If the deadline passes, the next call of this process waits for the remaining time only.
  func settle(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError) {
    guard !isSettled.load(ordering: .acquiring) else { return }
    let now = time.monotonicNanoseconds
    let (_, before) = settlingSince.compareExchange(
      expected: 0, desired: max(now, 1), ordering: .acquiringAndReleasing)
    let end = (before == 0 ? now : before).adding(ChangeCounters.noticePeriod)
    if end > now { try time.wait(nanoseconds: end - now, within: limits) }
    isSettled.store(true, ordering: .releasing)
    member.settle(header)
  }

  @inline(__always)
  private func load(_ shard: Int) -> UInt64? {
    segment?.counter(shard)?.pointee.load(ordering: .sequentiallyConsistent)
  }

  private func end(_ shard: Int, _ odd: UInt64) {
    guard odd & 1 == 1 else { return }
    _ = segment?.counter(shard)?.pointee.compareExchange(
      expected: odd, desired: odd &+ 1, ordering: .sequentiallyConsistent)
  }
}

extension ChangeCounters {
  /// The recorded number; nil if it is missing or invalid.
  var commitCount: CommitCount? {
    ChangeCounterFile.commits(member.descriptor, of: header.identity)
  }

  /// Whether a database with this number of commits has lost some.
  ///
  /// - Parameter count: The number recorded in the file before the database was read.
  func hasLostCommits(_ commits: UInt64, of database: PersistentFileID?, since count: CommitCount?)
    -> Bool
  {
    guard let count, commits < count.commits, let database, let persistentID else { return false }
    return count.isValid(for: database, counterFile: persistentID)
  }

  /// Records the number of durable commits, unless a higher one was recorded in the meantime.
  ///
  /// Concurrent writes may leave the smaller number. It is then behind the database, which is harmless.
  func count(_ commits: UInt64, of database: PersistentFileID?) {
    guard let database, let persistentID else { return }
    let wanted = CommitCount(commits: commits, database: database, counterFile: persistentID)
    if let known = commitCount, known.database == database, known.counterFile == persistentID,
      known.commits >= commits
    {
      return
    }
    ChangeCounterFile.write(wanted, member.descriptor, of: header.identity)
  }

  /// The persistent identity of the file; nil if the host application has closed its descriptor.
  private var persistentID: PersistentFileID? { member.isOpen ? member.persistentID : nil }
}

extension StoreLocation {
  /// Whether commits to this database file were recorded.
  ///
  /// A database without tables has then lost all of them.
  var hasRecordedCommits: Bool {
    let descriptor = openFile(counterFile, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let header = ChangeCounterFile.header(descriptor),
      let count = ChangeCounterFile.commits(descriptor, of: header.identity), count.commits > 0,
      let database = PersistentFileID(at: database),
      let persistentID = PersistentFileID(of: descriptor)
    else { return false }
    return count.isValid(for: database, counterFile: persistentID)
  }
}

/// The reason why a process could not attach.
enum ChangeCounterError: Error {
  /// Another process is attaching at this moment.
  case busy
  /// The file is missing or not writable, or its segment cannot be attached from here.
  case impossible
}

/// The attachment of a process: an open file with a shared lock, as long as this object lives.
///
/// Counters that cannot be attached are replaced only if no other process uses them. Otherwise a writer records "no
/// segment" and waits until all processes have noticed.
final class ChangeCounterMember: Sendable {
  let descriptor: Int32
  /// The identity of the file.
  let file: FileIdentity
  /// The persistent identity of the file.
  let persistentID: PersistentFileID?
  private let isWritable: Bool
  /// Whether the store is on another machine, where memory cannot be shared.
  private let isRemote: Bool
  /// Whether open file description locks, which identify attached processes, are supported.
  ///
  /// Without them, no counters are used.
  private let hasLocks: Bool
  private let process = getpid()
  private let isAbandoned = Atomic(false)

  /// Opens the change counter file.
  ///
  /// - Parameter creates: Whether to create a missing file.
  init(path: String, creates: Bool) throws(ChangeCounterError) {
    let flags = O_CLOEXEC | O_NOFOLLOW
    var descriptor = openFile(path, O_RDWR | flags | (creates ? O_CREAT : 0), mode: 0o600)
    isWritable = descriptor >= 0
    if descriptor < 0, !creates { descriptor = openFile(path, O_RDONLY | flags) }
    guard descriptor >= 0, let file = FileIdentity(of: descriptor) else { throw .impossible }
    self.descriptor = descriptor
    self.file = file
    persistentID = PersistentFileID(of: descriptor)
    isRemote = ctessera_is_remote(path)
    hasLocks = FileLock.hasDescriptionLocks(descriptor)
  }

  deinit {
    end()
  }

  /// Detaches, and closes the file.
  func end() {
    guard isOpen else { return }
    releaseMemberLock()
    guard !isAbandoned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
  }

  /// Attaches to the change counters of a database.
  ///
  /// - Parameter repairs: Whether to correct the contents of the file. Set it only inside a write transaction.
  /// - Returns: The header of the file, and the segment; nil if all processes must query the database.
  func attach(
    _ identity: UInt64, repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Header, ChangeCounterSegment?) {
    if isRemote || !hasLocks { return (try recordNoSegment(identity, repairs), nil) }
    return try withAttachLock { () throws(ChangeCounterError) in
      let header = ChangeCounterFile.header(descriptor)
      if let header, header.identity == identity, let segment = ChangeCounterSegment(header) {
        return (header, segment)
      }
      guard hasOtherMembers else {
        return try createCounters(identity, header, isSettled: true, repairs)
      }
      if let header, header.identity == identity {
        if header.countersID == 0 { return (header, nil) }
        // Other processes use a segment that cannot be attached from here. They read the file at least once a second.
        guard repairs else { throw .impossible }
        return (try write(ChangeCounterFile.Header(withoutSegmentFor: identity)), nil)
      }
      // Counters of another database are never used for this one. A file without a header may have been emptied while
      // its counters are in use.
      return try createCounters(identity, header, isSettled: header != nil, repairs)
    }
  }

  /// Writes the header again to a file that was emptied; false if it has a header or cannot be written.
  func restore(_ header: ChangeCounterFile.Header) -> Bool {
    guard isOpen else { return false }
    return
      (try? withAttachLock { () throws(ChangeCounterError) in
        guard ChangeCounterFile.header(descriptor) == nil else { throw .impossible }
        return try write(header)
      }) != nil
  }

  /// Records that all processes have had time to notice the change.
  func settle(_ header: ChangeCounterFile.Header) {
    _ = try? withAttachLock { () throws(ChangeCounterError) in
      guard var known = ChangeCounterFile.header(descriptor), known.hasSameCounters(as: header)
      else { return }
      known.isSettled = true
      _ = try write(known)
    }
  }

  /// Releases the shared lock.
  ///
  /// Does nothing in a child of fork(), because the lock also belongs to the parent, which remains attached.
  func releaseMemberLock() {
    guard isOpen, process == getpid() else { return }
    _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.memberLockOffset)
  }

  /// Stops using the descriptor without closing it.
  func abandon() { isAbandoned.store(true, ordering: .releasing) }

  /// Whether the descriptor still refers to this file.
  ///
  /// A host application may have closed it and reused its number.
  var isOpen: Bool {
    !isAbandoned.load(ordering: .acquiring) && FileIdentity(of: descriptor) == file
  }

  /// Records that there is no segment.
  ///
  /// Takes no lock: the file is remote, or its file system has no open file description locks.
  private func recordNoSegment(
    _ identity: UInt64, _ repairs: Bool
  ) throws(ChangeCounterError) -> ChangeCounterFile.Header {
    let header = ChangeCounterFile.header(descriptor)
    if let header, header.identity == identity, header.countersID == 0 { return header }
    guard isWritable, repairs else { throw .impossible }
    return try write(
      ChangeCounterFile.Header(
        withoutSegmentFor: identity, isSettled: header?.identity != identity))
  }

  private func createCounters(
    _ identity: UInt64, _ header: ChangeCounterFile.Header?, isSettled: Bool, _ repairs: Bool
  ) throws(ChangeCounterError) -> (ChangeCounterFile.Header, ChangeCounterSegment?) {
    guard isWritable, repairs || header?.identity == identity else { throw .impossible }
    let countersID = UInt64.random(in: 1...UInt64.max)
    guard let segment = ChangeCounterSegment(countersID: countersID) else {
      return (
        try write(ChangeCounterFile.Header(withoutSegmentFor: identity, isSettled: isSettled)), nil
      )
    }
    let header = ChangeCounterFile.Header(
      identity: identity, countersID: countersID, segment: segment.number, isSettled: isSettled)
    do throws(ChangeCounterError) {
      return (try write(header), segment)
    } catch {
      segment.detach()
      throw error
    }
  }

  private func write(
    _ header: ChangeCounterFile.Header
  ) throws(ChangeCounterError) -> ChangeCounterFile.Header {
    guard ChangeCounterFile.write(header, descriptor) else { throw .impossible }
    return header
  }

  private var hasOtherMembers: Bool {
    FileLock.description.conflict(descriptor, ChangeCounterFile.memberLockOffset) != nil
  }

  /// Runs `body` while no other process can attach.
  ///
  /// Afterwards, this process is attached.
  private func withAttachLock<Value>(
    _ body: () throws(ChangeCounterError) -> Value
  ) throws(ChangeCounterError) -> Value {
    guard hasLocks else { return try body() }
    var attempts = 0
    // Processes without write permission change nothing, so two of them may attach at the same time.
    let type = isWritable ? F_WRLCK : F_RDLCK
    while !FileLock.description.set(type, descriptor, ChangeCounterFile.attachLockOffset) {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .impossible }
      attempts += 1
      guard attempts < 100 else { throw .busy }
      sched_yield()
    }
    defer { _ = FileLock.description.set(F_UNLCK, descriptor, ChangeCounterFile.attachLockOffset) }
    // Acquire the shared lock before `body` changes the file, so that a failure leaves nothing to undo. A process does
    // not conflict with its own lock.
    guard FileLock.description.set(F_RDLCK, descriptor, ChangeCounterFile.memberLockOffset) else {
      throw .impossible
    }
    return try body()
  }
}

extension ChangeCounterFile.Header {
  /// Creates a location without a segment: all processes query the database.
  fileprivate init(withoutSegmentFor identity: UInt64, isSettled: Bool = false) {
    self.init(identity: identity, countersID: 0, segment: -1, isSettled: isSettled)
  }
}

/// A shared memory segment: a random ID, followed by one counter per shard of the store.
struct ChangeCounterSegment {
  private static let count = 1 + StoreShards.all.count
  private static let size = count * MemoryLayout<UInt64>.stride

  private let memory: UnsafeMutablePointer<Atomic<UInt64>>
  /// The segment ID by which other processes attach.
  let number: Int32

  /// Creates a segment; nil if the system provides no shared memory.
  ///
  /// All counters start at an unused random value, so that no stale cache entry becomes valid again.
  init?(countersID: UInt64) {
    var number: Int32 = -1
    guard let memory = ctessera_shared_memory_create(ChangeCounterSegment.size, &number) else {
      return nil
    }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.number = number
    let start = UInt64.random(in: 0...UInt64.max >> 2) << 1
    for shard in StoreShards.all { counter(shard)?.pointee.store(start, ordering: .relaxed) }
    self.memory.pointee.store(countersID, ordering: .sequentiallyConsistent)
  }

  /// Attaches to a recorded segment; nil if it no longer exists or belongs to another container.
  init?(_ header: ChangeCounterFile.Header) {
    guard header.countersID != 0,
      let memory = ctessera_shared_memory_attach(ChangeCounterSegment.size, header.segment)
    else { return nil }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    number = header.segment
    guard self.memory.pointee.load(ordering: .sequentiallyConsistent) == header.countersID else {
      detach()
      return nil
    }
  }

  /// Detaches from the segment, which must not be used afterwards.
  func detach() {
    ctessera_shared_memory_detach(memory)
  }

  /// Returns the counter of a shard; nil for an invalid number.
  @inline(__always)
  func counter(_ shard: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    StoreShards.all.contains(shard) ? memory + (1 + shard) : nil
  }
}

/// The layout of the file, as an array of 64-bit words, and the offsets of its locks.
enum ChangeCounterFile {
  /// The size of the file, in bytes.
  ///
  /// All of it is written; unused words are zero.
  static let size = 4096
  /// The magic number of this layout.
  private static let magicNumber: UInt64 = 0x5445_5353_4552_4134
  /// The offset of the byte that is locked while a process attaches, or reads or writes the location of the segment.
  static let attachLockOffset: off_t = 1 << 32
  /// The offset of the byte on which every attached process holds a shared lock.
  static let memberLockOffset: off_t = attachLockOffset + 1
  /// The offset of the number of durable commits, with the identities of the database and of this file.
  private static let commitsOffset: off_t = 4032

  /// The header of the file: the location of the change counters of a database.
  struct Header: Equatable {
    /// The identity of the database.
    let identity: UInt64
    /// The random ID of the counters.
    ///
    /// 0 if there are none. All processes then query the database.
    let countersID: UInt64
    /// The ID of the shared memory segment.
    let segment: Int32
    /// Whether all processes have had time to notice a change of this file.
    var isSettled: Bool

    /// Whether both refer to the same counters of the same database.
    func hasSameCounters(as other: Header) -> Bool {
      identity == other.identity && countersID == other.countersID
    }
  }

  /// Reads the header of a file; nil if the file does not have this layout.
  static func header(_ descriptor: Int32) -> Header? {
    var words: [UInt64] = [0, 0, 0, 0, 0]
    guard pread(descriptor, &words, 40, 0) == 40, words[0] == magicNumber else { return nil }
    return Header(
      identity: words[1], countersID: words[2], segment: Int32(truncatingIfNeeded: words[3]),
      isSettled: words[4] == 1)
  }

  /// Writes the header; false if a system call fails.
  ///
  /// The caller must hold the lock on ``attachLockOffset``.
  static func write(_ header: Header, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    if status.st_size < size || self.header(descriptor)?.identity != header.identity {
      // Write every byte, so that a full disk cannot block later writes.
      var nothing = [UInt64](repeating: 0, count: size / 8)
      guard pwrite(descriptor, &nothing, size, 0) == size else { return false }
    }
    var words = [
      magicNumber, header.identity, header.countersID, UInt64(UInt32(bitPattern: header.segment)),
      header.isSettled ? 1 : 0,
    ]
    return pwrite(descriptor, &words, 40, 0) == 40
  }

  /// Reads the number of durable commits; nil if it is missing or its checksum does not match.
  static func commits(_ descriptor: Int32, of identity: UInt64) -> CommitCount? {
    var words = [UInt64](repeating: 0, count: CommitCount.size)
    let size = words.count * 8
    guard pread(descriptor, &words, size, commitsOffset) == size else { return nil }
    return CommitCount(words, identity: identity)
  }

  /// Writes the number of durable commits, unless the file has another layout or belongs to another database.
  static func write(_ count: CommitCount, _ descriptor: Int32, of identity: UInt64) {
    guard header(descriptor)?.identity == identity else { return }
    var words = count.words(identity)
    _ = pwrite(descriptor, &words, words.count * 8, commitsOffset)
  }
}

/// The number of durable commits, and the files for which it is valid.
///
/// A database counts its commits. The number is copied to the change counter file after each durable commit. After a
/// power failure it may be behind the database, but never ahead. A database with a smaller number has lost commits.
struct CommitCount: Equatable {
  /// The number of commits.
  ///
  /// Larger values than ``largest`` are stored as ``largest``.
  let commits: UInt64
  /// The persistent identity of the database file.
  let database: PersistentFileID
  /// The persistent identity of the change counter file.
  let counterFile: PersistentFileID

  /// The largest number that can be stored.
  static let largest: UInt64 = 1 << 40 - 1

  /// Whether the number is valid for a database next to a change counter file.
  ///
  /// A database that replaced the recorded one is a copy, which may be older. If both files have changed, they were
  /// moved together.
  func isValid(for database: PersistentFileID, counterFile: PersistentFileID) -> Bool {
    self.database == database || self.counterFile != counterFile
  }
}

extension CommitCount {
  /// The number of 64-bit words.
  static let size = 5

  /// Reads the words of a file; nil if the checksum does not match.
  init?(_ words: [UInt64], identity: UInt64) {
    guard words.count == CommitCount.size else { return nil }
    commits = words[0] >> 24
    database = PersistentFileID(number: words[1], birth: words[2])
    counterFile = PersistentFileID(number: words[3], birth: words[4])
    guard self.words(identity) == words else { return nil }
  }

  /// Returns the words.
  ///
  /// The first one includes a checksum of all words, so that a partial write is detected.
  func words(_ identity: UInt64) -> [UInt64] {
    let others = [database.number, database.birth, counterFile.number, counterFile.birth]
    var sum = identity
    for word in [min(commits, CommitCount.largest)] + others {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    return [min(commits, CommitCount.largest) << 24 | sum & 0xFF_FFFF] + others
  }
}

extension CredentialRecord {
  /// The time for which an expired token is kept, because the clock may have been adjusted slightly.
  static let evictionGraceSeconds: Int64 = 300

  /// Whether the time of an access token has passed on both clocks, with a margin.
  func isUseless(at clocks: Clocks) -> Bool {
    guard let end = CacheRecord.credential(self).expiryTime else { return false }
    let last = clocks.now.adding(seconds: -CredentialRecord.evictionGraceSeconds)
    return end < last.secondsSince1970 && !isUnexpired(at: clocks)
  }

  /// Whether the token has not expired according to the boot-time clock, which cannot be set.
  ///
  /// False for tokens of another library and those received before the last boot: only the wall clock applies to them.
  func isUnexpired(at clocks: Clocks) -> Bool {
    guard let received = receivedBootTime, let age = clocks.bootTime?.seconds(since: received),
      let cachedAt, let end = [expiresAt, extendedExpiresAt].compactMap(\.self).max()
    else { return false }
    return age < end.seconds(since: cachedAt)
  }
}

extension CacheRecord {
  /// The time after which an access token is useless, in seconds since 1970; nil for records without an expiry time.
  var expiryTime: Int64? {
    guard let token = accessToken else { return nil }
    // Not the maximum of an array: the first use of an array type takes 15 KiB of stack.
    let expiresAt = token.expiresAt?.secondsSince1970
    guard let extended = token.extendedExpiresAt?.secondsSince1970 else { return expiresAt }
    return max(expiresAt ?? extended, extended)
  }
}
