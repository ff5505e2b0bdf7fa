// SPDX-License-Identifier: MIT
// The number of commits that are on disk, in the file beside the database.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ChangeCounters {
  /// What the file says now; nil for nothing that counts.
  var commitCount: CommitCount? { ChangeCounterFile.commits(member.descriptor, of: head.identity) }

  /// Whether a database that has had so many commits has lost some.
  ///
  /// - Parameter count: what the file said before that was known.
  func areMissing(_ commits: UInt64, of database: FileStamp?, since count: CommitCount?) -> Bool {
    guard let count, commits < count.commits, let database, let stamp else { return false }
    return count.holds(for: database, beside: stamp)
  }

  /// Writes down that so many commits are on disk, after the last one has returned; a later one may have come first.
  ///
  /// Two that write at once may leave the smaller number: it is behind, which does no harm.
  func count(_ commits: UInt64, of database: FileStamp?) {
    guard let database, let stamp else { return }
    let wanted = CommitCount(commits: commits, database: database, freshness: stamp)
    if let known = commitCount, known.database == database, known.freshness == stamp,
      known.commits >= commits
    {
      return
    }
    ChangeCounterFile.write(wanted, member.descriptor, of: head.identity)
  }

  /// The file; nil if the host has closed it and given its number away.
  private var stamp: FileStamp? { member.isOpen ? member.stamp : nil }
}

extension StoreLocation {
  /// Whether commits to this very database are known: without tables it is not a new one, it has lost all of them.
  var hasHadCommits: Bool {
    let descriptor = openFile(freshness, O_RDONLY | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let head = ChangeCounterFile.head(descriptor),
      let count = ChangeCounterFile.commits(descriptor, of: head.identity), count.commits > 0,
      let database = FileStamp(at: database), let stamp = FileStamp(of: descriptor)
    else { return false }
    return count.holds(for: database, beside: stamp)
  }
}
