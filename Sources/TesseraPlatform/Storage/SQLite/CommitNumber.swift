// SPDX-License-Identifier: MIT
// Commit numbers, in the database and in the change counter file, which detect a database that has lost commits.

/// The number of one commit.
struct CommitNumber {
  private let number: UInt64
  private let database: FileStamp?
  private let words: ChangeCounters

  /// Increments the commit count of the database, inside the transaction of the commit.
  ///
  /// - Throws: Damage if the database has lost earlier commits.
  init(
    next connection: SQLiteConnection, _ words: ChangeCounters, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = words.commitCount
    let before = try connection.commits()
    database = connection.stamp(location)
    guard !words.areMissing(before, of: database, since: known) else {
      throw SQLiteFailure.commitsAreMissing
    }
    try connection.query("UPDATE store SET commits = commits + 1")
    number = before &+ 1
    self.words = words
  }

  /// Records in the change counter file that the commit is durable.
  ///
  /// Call it after the transaction has ended.
  func isOnDisk() { words.count(number, of: database) }
}

/// The number of durable commits, read before the transaction of a reader starts.
struct KnownCommits {
  private let count: CommitCount
  private let words: ChangeCounters

  /// Creates a value from the change counter file; nil if the file contains no valid count.
  init?(_ words: ChangeCounters) {
    guard let count = words.commitCount else { return nil }
    self.count = count
    self.words = words
  }

  /// Whether the database had commits.
  ///
  /// A database without tables has then lost all of them.
  func hadCommits(_ location: StoreLocation) -> Bool {
    words.areMissing(0, of: FileStamp(at: location.database), since: count)
  }

  /// Whether the database has lost commits.
  ///
  /// Call it inside the transaction.
  func areMissing(
    in connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) -> Bool {
    words.areMissing(try connection.commits(), of: connection.stamp(location), since: count)
  }
}

extension SQLiteFailure {
  /// The write-ahead log was truncated or removed, or the checksum of its last frames does not match.
  static let commitsAreMissing = SQLiteFailure.damaged("it has lost its latest commits")
}

extension SQLiteConnection {
  /// The persistent identity of the open database file.
  ///
  /// It is read only once: no other file can get the same inode number while this file is open.
  fileprivate func stamp(_ location: StoreLocation) -> FileStamp? {
    if file == nil { file = FileStamp(at: location.database) }
    return file
  }

  /// Returns the commit count stored in the database.
  fileprivate func commits() throws(SQLiteFailure) -> UInt64 {
    UInt64(clamping: try integer("SELECT commits FROM store") ?? 0)
  }
}
