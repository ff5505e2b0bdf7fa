// SPDX-License-Identifier: MIT
// The number of a commit, in the database and outside of it: a database that has lost commits is recognised by it.

/// A commit that is counted.
struct CommitNumber {
  private let number: UInt64
  private let database: FileStamp?
  private let words: ChangeCounters

  /// Counts the commit that is under way, inside its transaction.
  ///
  /// - Throws: damage if the database has lost earlier ones.
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

  /// Writes down that the commit is on disk; its transaction has ended.
  func isOnDisk() { words.count(number, of: database) }
}

/// What must be in a database, known before a transaction has read anything.
struct KnownCommits {
  private let count: CommitCount
  private let words: ChangeCounters

  /// What the freshness file says; nil if it says nothing.
  init?(_ words: ChangeCounters) {
    guard let count = words.commitCount else { return nil }
    self.count = count
    self.words = words
  }

  /// Whether there were any, so that a database without tables has lost all of them.
  func hadCommits(_ location: StoreLocation) -> Bool {
    words.areMissing(0, of: FileStamp(at: location.database), since: count)
  }

  /// Whether the database has lost some, inside the transaction.
  func areMissing(
    in connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) -> Bool {
    words.areMissing(try connection.commits(), of: connection.stamp(location), since: count)
  }
}

extension SQLiteFailure {
  /// The log of the database was cut off or removed, or its end does not fit.
  static let commitsAreMissing = SQLiteFailure.damaged("it has lost its latest commits")
}

extension SQLiteConnection {
  /// The file that it has open, as it is written down.
  ///
  /// The path is looked at once: as long as the file is open, no other one gets its number.
  fileprivate func stamp(_ location: StoreLocation) -> FileStamp? {
    if file == nil { file = FileStamp(at: location.database) }
    return file
  }

  /// How many commits the database has had.
  fileprivate func commits() throws(SQLiteFailure) -> UInt64 {
    UInt64(clamping: try integer("SELECT commits FROM store") ?? 0)
  }
}
