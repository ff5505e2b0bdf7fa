// SPDX-License-Identifier: MIT
// The number of durable commits of a database, stored outside the database.

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
