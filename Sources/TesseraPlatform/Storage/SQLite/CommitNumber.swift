// SPDX-License-Identifier: MIT
// Commit numbers, in the database and in the change counter file, which detect a database that has lost commits.

/// The number of one commit.
struct CommitNumber {
  private let number: UInt64
  private let database: PersistentFileID?
  private let counters: ChangeCounters

  /// Increments the commit count of the database, inside the transaction of the commit.
  ///
  /// - Throws: Damage if the database has lost earlier commits.
  init(
    next connection: SQLiteConnection, _ counters: ChangeCounters, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = counters.commitCount
    let before = try connection.commits()
    database = connection.persistentID(location)
    guard !counters.hasLostCommits(before, of: database, since: known) else {
      throw SQLiteFailure.lostCommits
    }
    try connection.query("UPDATE store SET commits = commits + 1")
    number = before &+ 1
    self.counters = counters
  }

  /// Records in the change counter file that the commit is durable.
  ///
  /// Call it after the transaction has ended.
  func markDurable() { counters.count(number, of: database) }
}

/// The number of durable commits, read before the transaction of a reader starts.
struct RecordedCommits {
  private let count: CommitCount
  private let counters: ChangeCounters

  /// Creates a value from the change counter file; nil if the file contains no valid count.
  init?(_ counters: ChangeCounters) {
    guard let count = counters.commitCount else { return nil }
    self.count = count
    self.counters = counters
  }

  /// Whether the database had commits.
  ///
  /// A database without tables has then lost all of them.
  func hadCommits(_ location: StoreLocation) -> Bool {
    counters.hasLostCommits(0, of: PersistentFileID(at: location.database), since: count)
  }

  /// Whether the database has lost commits.
  ///
  /// Call it inside the transaction.
  func hasLostCommits(
    in connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) -> Bool {
    counters.hasLostCommits(
      try connection.commits(), of: connection.persistentID(location), since: count)
  }
}

extension SQLiteFailure {
  /// The write-ahead log was truncated or removed, or the checksum of its last frames does not match.
  static let lostCommits = SQLiteFailure.damaged("the latest commits are missing")
}

extension SQLiteConnection {
  /// The persistent identity of the open database file.
  ///
  /// It is read only once: no other file can get the same inode number while this file is open.
  fileprivate func persistentID(_ location: StoreLocation) -> PersistentFileID? {
    if file == nil { file = PersistentFileID(at: location.database) }
    return file
  }

  /// Returns the commit count stored in the database.
  fileprivate func commits() throws(SQLiteFailure) -> UInt64 {
    UInt64(clamping: try integer("SELECT commits FROM store") ?? 0)
  }
}
