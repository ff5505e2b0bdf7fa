// SPDX-License-Identifier: MIT
// Change counters in shared memory, which show in about a nanosecond whether a shard of the store has changed.

import CLibrary
import Synchronization
import TesseraCache
import TesseraEngine

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
