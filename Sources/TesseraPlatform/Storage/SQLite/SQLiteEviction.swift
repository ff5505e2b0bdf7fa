// SPDX-License-Identifier: MIT
// Evicts expired access tokens from a database and returns free pages to the file system.

import TesseraCache
import TesseraWire

/// The eviction of access tokens, which bounds the size of a database.
///
/// Each commit evicts some tokens, inside its transaction.
///
/// Refresh tokens are never evicted, because the user would have to sign in again.
struct SQLiteEviction {
  /// The maximum number of expired tokens to evict per commit.
  ///
  /// A commit stores one or two.
  private static let maximumEvictionsPerRound = 16
  /// The maximum number of rounds of evictions per commit for a store above its limit.
  private static let maximumEvictionRounds = 16
  /// The number of free pages to keep for later commits, and of pages to return per commit.
  private static let freePages: Int64 = 64

  private let connection: SQLiteConnection
  private let limitBytes: Int64?

  init(_ connection: SQLiteConnection, _ limitBytes: Int64?) {
    self.connection = connection
    self.limitBytes = limitBytes
  }

  /// Evicts expired access tokens; above the limit, also those that expire next.
  ///
  /// The change counters stay the same: cached responses with an evicted token are as valid as before.
  ///
  /// - Parameter table: Tokens stored by this transaction are not evicted.
  func evict(at clocks: Clocks, in table: SQLiteTable) throws(SQLiteFailure) {
    let end = clocks.now.adding(seconds: -CredentialRecord.evictionGraceSeconds).secondsSince1970
    _ = try remove(endedBefore: end, excluding: table.written) { key throws(SQLiteFailure) in
      // A wall clock that is set a day ahead must not expire tokens.
      try table.accessToken(key)?.isUnexpired(at: clocks) != true
    }
    if let limitBytes {
      for _ in 0..<SQLiteEviction.maximumEvictionRounds
      where try connection.bytes().used > limitBytes {
        guard try remove(endedBefore: .max, excluding: table.written) else { break }
      }
    }
    try releaseFreePages()
  }

  /// Evicts some access tokens, in the order of their expiry.
  ///
  /// - Returns: Whether any were evicted.
  private func remove(
    endedBefore end: Int64, excluding kept: Set<Int64>,
    where isExpired: (Int64) throws(SQLiteFailure) -> Bool = { _ in true }
  ) throws(SQLiteFailure) -> Bool {
    var keys: [Int64] = []
    // Do not bind the time as a parameter: SQLite would prepare the statement again at each commit.
    try connection.query(
      """
      SELECT key, expires FROM record
      WHERE expires IS NOT NULL AND type IN (2001, 2007) ORDER BY expires
      """
    ) { row in
      guard row.integer(1) < end, keys.count < SQLiteEviction.maximumEvictionsPerRound else {
        return false
      }
      if !kept.contains(row.integer(0)) { keys.append(row.integer(0)) }
      return true
    }
    for key in keys where try isExpired(key) {
      try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
      try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
    }
    return !keys.isEmpty
  }

  /// Shrinks the file if it has more free pages than the next commits will use.
  private func releaseFreePages() throws(SQLiteFailure) {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    guard free > SQLiteEviction.freePages * 2 + pages / 8 else { return }
    try connection.execute("PRAGMA incremental_vacuum(\(SQLiteEviction.freePages))")
  }
}

extension SQLiteConnection {
  /// Returns the size of the database and its used part, in bytes.
  func bytes() throws(SQLiteFailure) -> (file: Int64, used: Int64) {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    let size = try integer("PRAGMA page_size") ?? 0
    return (pages * size, (pages - free) * size)
  }
}
