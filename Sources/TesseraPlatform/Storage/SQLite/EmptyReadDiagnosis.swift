// SPDX-License-Identifier: MIT
// A look at what a store is like, when a call found nothing in it or met damaged rows.

import TesseraCache

/// Tells why a call found nothing.
struct EmptyReadDiagnosis {
  private let connection: SQLiteConnection
  private let location: StoreLocation

  init(_ connection: SQLiteConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// What the store is like, inside the transaction in which the records were read.
  ///
  /// - Parameter lacks: whether what was read holds no refresh token, so that the caller may have lost one.
  func condition(
    _ selection: SnapshotSelection, lacks: Bool, _ damage: SQLiteRowDamage
  ) throws(SQLiteFailure) -> StoreCondition {
    guard damage.count == 0 else {
      return .damaged(
        "A record in \(location.database) is damaged. Sign in again: what is damaged stays aside.")
    }
    // A call that found a refresh token never gets here, and costs nothing more.
    guard lacks, selection.owner != nil || selection.everyAccount else { return .usable }
    if let owner = selection.owner, try hasAside(owner) {
      return .damaged(
        "A record of this account in \(location.database) was damaged, and is kept there. Sign in again."
      )
    }
    // Whoever removed the file has settled it.
    if let file = try connection.note("damaged"),
      FileIdentity(at: "\(location.directory)/\(file)") != nil
    {
      return .damaged(
        "The token store was damaged, and lies in \(location.directory)/\(file). Sign in again.")
    }
    return try hasAccounts() ? .usable : .empty
  }

  private func hasAside(_ owner: String) throws(SQLiteFailure) -> Bool {
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
