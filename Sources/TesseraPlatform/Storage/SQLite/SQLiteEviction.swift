// SPDX-License-Identifier: MIT
// Room in a database: access tokens that have ended go first, and pages that nothing needs go back to the disk.

import TesseraCache
import TesseraWire

/// Keeps a database within its bounds, a little at each commit and inside its transaction.
///
/// A refresh token never makes room: whoever lost one would have to sign in.
struct SQLiteEviction {
  /// How many tokens that have ended go with each commit, which brings one or two.
  private static let endedTokens = 16
  /// How many tokens go at most where there is a limit.
  private static let tokensForLimit = 16
  /// How long a token is kept after its end: the clock may have been set a little.
  private static let graceSeconds: Int64 = 300
  /// Free pages that stay, for what comes next, and how many are given back with each commit.
  private static let freePages: Int64 = 64

  private let connection: SQLiteConnection
  private let limitBytes: Int64?

  init(_ connection: SQLiteConnection, _ limitBytes: Int64?) {
    self.connection = connection
    self.limitBytes = limitBytes
  }

  /// Removes access tokens that have ended; above the limit, also those that end next.
  ///
  /// Nobody is told: what other processes remember of such a token is as true as before.
  ///
  /// - Parameter table: what has just come to it stays.
  func make(at clocks: Clocks, in table: SQLiteTable) throws(SQLiteFailure) {
    let end = clocks.now.adding(seconds: -SQLiteEviction.graceSeconds).secondsSince1970
    _ = try remove(endedBefore: end, besides: table.written) { key throws(SQLiteFailure) in
      // A wall clock that is set a day ahead ends nothing.
      try table.accessToken(key)?.isWithinLife(at: clocks) != true
    }
    if let limitBytes {
      for _ in 0..<SQLiteEviction.tokensForLimit where try connection.bytes().used > limitBytes {
        guard try remove(endedBefore: .max, besides: table.written) else { break }
      }
    }
    try giveBack()
  }

  /// Removes some access tokens, those that end first.
  ///
  /// - Returns: whether there were any.
  private func remove(
    endedBefore end: Int64, besides kept: Set<Int64>,
    where isOver: (Int64) throws(SQLiteFailure) -> Bool = { _ in true }
  ) throws(SQLiteFailure) -> Bool {
    var keys: [Int64] = []
    // Without a parameter: SQLite would prepare the statement anew at each commit.
    try connection.query(
      """
      SELECT key, expires FROM record
      WHERE expires IS NOT NULL AND type IN (2001, 2007) ORDER BY expires
      """
    ) { row in
      guard row.integer(1) < end, keys.count < SQLiteEviction.endedTokens else { return false }
      if !kept.contains(row.integer(0)) { keys.append(row.integer(0)) }
      return true
    }
    for key in keys where try isOver(key) {
      try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
      try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
    }
    return !keys.isEmpty
  }

  /// Makes the file shorter, if more of it is free than the next commits will take.
  private func giveBack() throws(SQLiteFailure) {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    guard free > SQLiteEviction.freePages * 2 + pages / 8 else { return }
    try connection.execute("PRAGMA incremental_vacuum(\(SQLiteEviction.freePages))")
  }
}

extension SQLiteConnection {
  /// How long the database is, and how much of it is in use, in bytes.
  func bytes() throws(SQLiteFailure) -> (file: Int64, used: Int64) {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    let size = try integer("PRAGMA page_size") ?? 0
    return (pages * size, (pages - free) * size)
  }
}

extension CredentialRecord {
  /// Whether less time than its life has passed since this machine received it, by the clock that nobody can set.
  ///
  /// Of a token from elsewhere, or from before the machine was started, only the wall clock knows.
  fileprivate func isWithinLife(at clocks: Clocks) -> Bool {
    guard let received = receivedMoment, let age = clocks.moment?.seconds(since: received),
      let cachedAt, let end = [expiresAt, extendedExpiresAt].compactMap(\.self).max()
    else { return false }
    return age < end.seconds(since: cachedAt)
  }
}
