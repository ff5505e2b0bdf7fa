// SPDX-License-Identifier: MIT
// The condition of a store after a read that found no refresh token, or found damaged rows.

import TesseraCache

/// The diagnosis of a read that found nothing.
struct EmptyReadDiagnosis {
  private let connection: SQLiteConnection
  private let location: StoreLocation

  init(_ connection: SQLiteConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// Returns the condition of the store.
  ///
  /// Call it inside the transaction in which the records were read.
  ///
  /// - Parameter lacksRefreshToken: Whether the records include no refresh token, so that one of the account may have
  ///   been lost.
  func condition(
    _ selection: SnapshotSelection, lacksRefreshToken: Bool, _ damage: DamagedRows
  ) throws(SQLiteFailure) -> StoreCondition {
    guard damage.count == 0 else {
      return .damaged(
        "A record in \(location.database) is damaged. Sign in again: the damaged record is kept in quarantine."
      )
    }
    // A call that found a refresh token returns here, at no further cost.
    guard lacksRefreshToken, selection.owner != nil || selection.allAccounts else {
      return .usable
    }
    if let owner = selection.owner, try hasQuarantinedRows(owner) {
      return .damaged(
        "A record of this account in \(location.database) was damaged and is in quarantine. Sign in again."
      )
    }
    // Once the user has removed the quarantined file, the loss is no longer reported.
    if let file = try connection.note("damaged"),
      FileIdentity(at: "\(location.directory)/\(file)") != nil
    {
      return .damaged(
        "The token store was damaged and moved to \(location.directory)/\(file). Sign in again.")
    }
    return try hasAccounts() ? .usable : .empty
  }

  private func hasQuarantinedRows(_ owner: String) throws(SQLiteFailure) -> Bool {
    var found = false
    try connection.query(
      "SELECT 1 FROM aside WHERE owner = ? LIMIT 1", [.integer(RecordKey.number(of: owner))]
    ) { _ in
      found = true
      return false
    }
    return found
  }

  private func hasAccounts() throws(SQLiteFailure) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001) LIMIT 1
      """) != nil
  }
}
