// SPDX-License-Identifier: MIT
// The operations on records that a change needs, within one transaction.

package import TesseraWire

/// The records of a store during a transaction, which excludes other writers.
package protocol CacheTable {
  /// The error type of the operations.
  associatedtype Failure: Error

  /// Returns the record with a key, or `nil` if there is none.
  func record(at key: RecordKey) throws(Failure) -> CacheRecord?
  /// Returns all records of a home account ID except its access tokens.
  func records(of owner: String) throws(Failure) -> [CacheRecord]
  /// Returns the records of a home account ID except its access tokens and refresh tokens, and whether it has refresh tokens.
  ///
  /// A table in which reading a refresh token costs nothing may return them too.
  func recordsWithoutRefreshTokens(
    of owner: String
  ) throws(Failure) -> (records: [CacheRecord], hasOthers: Bool)
  /// Returns the refresh tokens that ``recordsWithoutRefreshTokens(of:)`` omits.
  func refreshTokens(of owner: String) throws(Failure) -> [CacheRecord]
  /// Returns the access tokens of a home account ID that have a scope, or all of them if `scope` is `nil`.
  func accessTokens(of owner: String, having scope: String?) throws(Failure) -> [CredentialRecord]
  /// Returns all account records, with the tokens and the metadata that determine which applications may use them.
  func allAccounts() throws(Failure) -> [CacheRecord]
  /// Returns the records of ``allAccounts()`` that are needed to list the accounts of one application.
  ///
  /// Tokens of accounts with a recorded sign-in state may be omitted.
  func allAccounts(visibleTo clientID: String) throws(Failure) -> [CacheRecord]
  /// Returns the records of ``allAccounts()`` in some account ranges, for one application or, with `nil`, for all.
  ///
  /// Records without an owner are omitted.
  func allAccounts(
    in ranges: [Int], visibleTo clientID: String?
  ) throws(Failure) -> [CacheRecord]
  /// Returns all records, including those that only Tessera uses.
  func everything() throws(Failure) -> [CacheRecord]
  /// Stores a record, replacing the one with its key.
  mutating func put(_ record: CacheRecord) throws(Failure)
  /// Removes the record with a key, if any.
  mutating func remove(_ key: RecordKey) throws(Failure)
  /// Removes the entries of an account with the given refresh tokens that are not the newest of their record.
  ///
  /// Does nothing in a table with one entry for each record.
  mutating func removeOlderEntries(of secrets: Set<Secret>, in owner: String) throws(Failure)
  /// Removes all records, including quarantined ones.
  mutating func removeEverything() throws(Failure)
}

extension CacheTable {
  package func recordsWithoutRefreshTokens(
    of owner: String
  ) throws(Failure) -> (records: [CacheRecord], hasOthers: Bool) {
    (try records(of: owner), false)
  }

  package func refreshTokens(of owner: String) throws(Failure) -> [CacheRecord] { [] }

  package func allAccounts(visibleTo clientID: String) throws(Failure) -> [CacheRecord] {
    try allAccounts()
  }

  package func allAccounts(
    in ranges: [Int], visibleTo clientID: String?
  ) throws(Failure) -> [CacheRecord] {
    try allAccounts().filter { record in
      record.owner.map { ranges.contains(AccountListVersion.range(of: $0)) } ?? false
    }
  }

  package mutating func removeOlderEntries(
    of secrets: Set<Secret>, in owner: String
  ) throws(Failure) {}
}

extension SnapshotSelection {
  /// Returns the selected records of a table.
  package func records<Table: CacheTable>(
    in table: Table
  ) throws(Table.Failure) -> [CacheRecord] {
    guard !everything else { return try table.everything() }
    var records: [CacheRecord] = []
    if let owner {
      records += try table.accessTokens(of: owner, having: scope).map(CacheRecord.credential)
      if let isSufficient {
        let (others, hasRefreshTokens) = try table.recordsWithoutRefreshTokens(of: owner)
        records += others
        if isSufficient(records, hasRefreshTokens) { return records }
        if hasRefreshTokens { records += try table.refreshTokens(of: owner) }
      } else {
        records += try table.records(of: owner)
      }
    }
    if allAccounts, let ranges {
      records += try table.allAccounts(in: ranges, visibleTo: clientID)
    } else if allAccounts, let clientID {
      records += try table.allAccounts(visibleTo: clientID)
    } else if allAccounts {
      records += try table.allAccounts()
    }
    for key in keys {
      if let record = try table.record(at: key) { records.append(record) }
    }
    return records
  }
}
