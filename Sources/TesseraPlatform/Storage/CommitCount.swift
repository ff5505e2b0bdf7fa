// SPDX-License-Identifier: MIT
// How many commits a database has had for certain, written down outside of it.

/// What the freshness file says of commits that are on disk: a number, and the files for which it holds.
///
/// A database counts its commits. The number is copied here after a commit is on disk, so it may be behind the database,
/// after a loss of power for example, but never ahead of it: a database with a smaller number has lost commits.
struct CommitCount: Equatable {
  /// How many commits; what does not fit is not claimed.
  let commits: UInt64
  /// The database file.
  let database: FileStamp
  /// The freshness file.
  let freshness: FileStamp

  /// The largest number that can be written down.
  static let largest: UInt64 = 1 << 40 - 1

  /// Whether it holds for a database that lies beside a freshness file now.
  ///
  /// A database that was put in place of the old one is a copy, and may be older. If both files are others, they have
  /// moved together.
  func holds(for database: FileStamp, beside freshness: FileStamp) -> Bool {
    self.database == database || self.freshness != freshness
  }
}

extension CommitCount {
  /// How many words it takes.
  static let size = 5

  /// What some words of a file say, of a database with an identity; nil for words that nobody has written like that.
  init?(_ words: [UInt64], identity: UInt64) {
    guard words.count == CommitCount.size else { return nil }
    commits = words[0] >> 24
    database = FileStamp(number: words[1], birth: words[2])
    freshness = FileStamp(number: words[3], birth: words[4])
    guard self.words(identity) == words else { return nil }
  }

  /// The words; the first one has a sum of all, so that what is half written counts for nothing.
  func words(_ identity: UInt64) -> [UInt64] {
    let others = [database.number, database.birth, freshness.number, freshness.birth]
    var sum = identity
    for word in [min(commits, CommitCount.largest)] + others {
      sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    return [min(commits, CommitCount.largest) << 24 | sum & 0xFF_FFFF] + others
  }
}
