// SPDX-License-Identifier: MIT
// Words in shared memory that answer "did anybody commit to this part of the store since?" in about a nanosecond.

import Synchronization
import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Counters that every process with the store shares, one for each part: even between commits, odd during one.
///
/// They change only while a write transaction is under way or has just ended. A writer that dies in the middle leaves
/// its words odd: then readers of that part ask the database, until the next writer makes them even again. So a dead
/// writer costs speed, never freshness.
final class ChangeCounters: @unchecked Sendable {
  /// How long a writer waits until everybody has noticed that the words are others: they look once a second.
  private static let timeToNotice: UInt64 = 2_000_000_000

  let member: ChangeCounterMember
  let head: ChangeCounterFile.Head
  /// nil where everybody asks the database.
  private let segment: ChangeCounterSegment?
  /// Whether the file says something else now.
  private let isRetired = Atomic(false)
  /// Whether everybody uses these words by now.
  private let isSettled: Atomic<Bool>
  /// The reading of the monotonic clock at which a writer first waited for that; 0 before.
  private let settlingSince = Atomic<UInt64>(0)

  /// Joins those who use the words of a database.
  ///
  /// - Parameter repairs: whether the file may be made or corrected; only inside a write transaction.
  init(path: String, identity: UInt64, repairs: Bool) throws(FreshnessProblem) {
    member = try ChangeCounterMember(path: path, makes: repairs)
    (head, segment) = try member.join(identity, repairs: repairs)
    isSettled = Atomic(head.isSettled)
  }

  deinit {
    segment?.detach()
  }

  /// The file that says where they are.
  var file: FileIdentity { member.file }

  /// The state of a part; nil while somebody commits to it, or after somebody died doing so.
  func version(of part: Int) -> StoreVersion? {
    version(of: ShardVersions(part))
  }

  /// The state of what a call sees; nil while somebody commits to it, or after somebody died doing so.
  func version(of parts: ShardVersions) -> StoreVersion? {
    guard isOurs, let one = load(parts.one), one & 1 == 0, let other = load(parts.other),
      other & 1 == 0
    else { return nil }
    return StoreVersion(
      identity: head.identity, part: parts.one, commits: one, otherPart: parts.other,
      otherCommits: other)
  }

  /// The state of the list of the accounts, range by range; nil where that can't be told.
  ///
  /// A word may be odd: then it is another one later.
  ///
  /// - Parameter opening: tells one opening of the database from another.
  func listState(_ opening: UInt64) -> ListState? {
    guard segment != nil else { return nil }
    return ListState(
      identity: head.words ^ opening, ranges: StoreShards.ranges.map { load($0) ?? 0 })
  }

  /// Whether nobody has committed to parts since they were in a state, as far as these words tell; see ``isOurs``.
  func isCurrent(_ version: StoreVersion) -> Bool {
    version.identity == head.identity && !isRetired.load(ordering: .acquiring)
      && load(version.part) == version.commits && load(version.otherPart) == version.otherCommits
  }

  /// Tells readers that some parts are about to change; call it inside the write transaction, just before its end.
  ///
  /// - Returns: what ``endCommit(_:)`` takes.
  func beginCommit(_ parts: StoreShards) -> Commit {
    // Nobody else commits now: who left a word odd has died, or has committed and not come to say so.
    for part in StoreShards.all { end(part, load(part) ?? 0) }
    return Commit(
      words: parts.numbers.compactMap { part in
        guard let word = segment?.word(part) else { return nil }
        let odd = word.pointee.load(ordering: .sequentiallyConsistent) | 1
        word.pointee.store(odd, ordering: .sequentiallyConsistent)
        return (part, odd)
      })
  }

  /// Tells readers that the parts have changed, or that they did not.
  ///
  /// The transaction is over by then: what the next writer has done to a word meanwhile stays as it is.
  func endCommit(_ commit: Commit) {
    for (part, odd) in commit.words { end(part, odd) }
  }

  /// The words that a commit has made odd.
  struct Commit {
    fileprivate let words: [(part: Int, odd: UInt64)]
  }
}

extension ChangeCounters {
  /// Whether the file still says that these are the words: looked at once a second at least.
  var isOurs: Bool {
    guard !isRetired.load(ordering: .acquiring),
      let found = ChangeCounterFile.head(member.descriptor)
    else { return false }
    return found.leads(toSameAs: head)
  }

  /// Whether the file says that others are the words.
  var isReplaced: Bool {
    if isRetired.load(ordering: .acquiring) { return true }
    return ChangeCounterFile.head(member.descriptor).map { !$0.leads(toSameAs: head) } ?? false
  }

  /// Says again that these are the words, in a file that says nothing any more; only inside a write transaction.
  func restore() -> Bool {
    segment != nil && !isRetired.load(ordering: .acquiring) && member.restore(head)
  }

  /// Uses them no more.
  func retire() {
    isRetired.store(true, ordering: .sequentiallyConsistent)
    member.leave()
  }

  /// Uses them no more, and closes their file; nobody writes to it any more, and who reads it finds other words.
  func end() {
    retire()
    member.end()
  }

  /// Never closes the file: the host has, and its number may lead elsewhere.
  func abandon() { member.abandon() }

  /// Waits until nobody uses other words any more; only inside a write transaction.
  ///
  /// Who has no time for all of it leaves the rest to the next call of this process.
  func settle(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError) {
    guard !isSettled.load(ordering: .acquiring) else { return }
    let now = time.monotonicNanoseconds
    let (_, before) = settlingSince.compareExchange(
      expected: 0, desired: max(now, 1), ordering: .acquiringAndReleasing)
    let end = (before == 0 ? now : before).adding(ChangeCounters.timeToNotice)
    if end > now { try time.wait(nanoseconds: end - now, within: limits) }
    isSettled.store(true, ordering: .releasing)
    member.settle(head)
  }

  @inline(__always)
  private func load(_ part: Int) -> UInt64? {
    segment?.word(part)?.pointee.load(ordering: .sequentiallyConsistent)
  }

  private func end(_ part: Int, _ odd: UInt64) {
    guard odd & 1 == 1 else { return }
    _ = segment?.word(part)?.pointee.compareExchange(
      expected: odd, desired: odd &+ 1, ordering: .sequentiallyConsistent)
  }
}
