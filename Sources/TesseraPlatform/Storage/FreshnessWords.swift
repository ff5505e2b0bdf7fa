// SPDX-License-Identifier: MIT
// Words in shared memory that answer "did anybody commit to this part of the store since?" in about a nanosecond.

import Synchronization
import TesseraCache

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Counters that every process with the store maps, one for each part: even between commits, odd during one.
///
/// They change only while a write transaction is under way or has just ended. A writer that dies in the middle leaves
/// its words odd: then readers of that part ask the database, until the next writer makes them even again. So a dead
/// writer costs speed, never freshness.
final class FreshnessWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let identity: UInt64
  /// The file that is mapped.
  let file: FileIdentity

  /// Maps the words of a database; nil where that is not possible, so that the database has to be asked.
  ///
  /// - Parameter repairs: whether the file may be made or corrected; only inside a write transaction.
  init?(path: String, identity: UInt64, repairs: Bool) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (repairs ? O_CREAT : 0), 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard
      FreshnessFile.belongs(descriptor, to: identity)
        || repairs && FreshnessFile.write(descriptor, identity),
      let file = FileIdentity(of: descriptor),
      let memory = mmap(nil, FreshnessFile.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.identity = identity
    self.file = file
  }

  deinit {
    munmap(words, FreshnessFile.size)
  }

  /// The state of a part; nil while somebody commits to it, or after somebody died doing so.
  func version(of part: Int) -> StoreVersion? {
    guard isOurs, let commits = load(part), commits & 1 == 0 else { return nil }
    return StoreVersion(identity: identity, part: part, commits: commits)
  }

  /// Whether nobody has committed to a part since it was in a state.
  func isCurrent(_ version: StoreVersion) -> Bool {
    version.identity == identity && isOurs && load(version.part) == version.commits
  }

  /// Tells readers that some parts are about to change; call it inside the write transaction, just before its end.
  ///
  /// - Returns: what ``endCommit(_:)`` takes.
  func beginCommit(_ parts: StoreParts) -> Commit {
    // Nobody else commits now: who left a word odd has died, or has committed and not come to say so.
    for part in StoreParts.all { end(part, load(part) ?? 0) }
    return Commit(
      words: parts.numbers.compactMap { part in
        guard let word = word(part) else { return nil }
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

extension FreshnessWords {
  /// Whether the file still says that it is ours: somebody may have written over it.
  var isOurs: Bool {
    words[FreshnessFile.markIndex].load(ordering: .relaxed) == FreshnessFile.mark
      && words[FreshnessFile.identityIndex].load(ordering: .relaxed) == identity
  }

  private func word(_ part: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    StoreParts.all.contains(part) ? words + (FreshnessFile.firstIndex + part) : nil
  }

  private func load(_ part: Int) -> UInt64? {
    word(part)?.pointee.load(ordering: .sequentiallyConsistent)
  }

  private func end(_ part: Int, _ odd: UInt64) {
    guard odd & 1 == 1 else { return }
    _ = word(part)?.pointee.compareExchange(
      expected: odd, desired: odd &+ 1, ordering: .sequentiallyConsistent)
  }
}
