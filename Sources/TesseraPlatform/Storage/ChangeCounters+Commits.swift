// SPDX-License-Identifier: MIT
// The number of durable commits, in the file of the change counters.

import CLibrary

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
