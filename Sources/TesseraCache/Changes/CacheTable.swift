// SPDX-License-Identifier: MIT
// What a change needs of a store: operations on records, inside one transaction.

/// The records of a store, as a change sees them while nobody else can write.
package protocol CacheTable {
  /// Why an operation can fail.
  associatedtype Failure: Error

  /// The record at a key.
  func record(at key: RecordKey) throws(Failure) -> CacheRecord?
  /// All records of a home account id except its access tokens.
  func records(of owner: String) throws(Failure) -> [CacheRecord]
  /// The access tokens of a home account id that have a scope; all of them if it is nil.
  func accessTokens(of owner: String, having scope: String?) throws(Failure) -> [CredentialRecord]
  /// All account records, with the tokens and the metadata that say who may use them.
  func everyAccount() throws(Failure) -> [CacheRecord]
  /// The same, perhaps without the tokens of accounts that an application remembers signing in or out of.
  func everyAccount(seenBy clientID: String) throws(Failure) -> [CacheRecord]
  /// The same for people of some ranges, without what belongs to nobody; of an application, or of all of them if it is nil.
  func everyAccount(
    in ranges: [Int], seenBy clientID: String?
  ) throws(Failure) -> [CacheRecord]
  /// All records, Tessera's own ones among them.
  func everything() throws(Failure) -> [CacheRecord]
  /// Stores a record in place of the one at its key.
  mutating func put(_ record: CacheRecord) throws(Failure)
  /// Removes the record at a key, if there is one.
  mutating func remove(_ key: RecordKey) throws(Failure)
  /// Removes all records, and what was put aside of them.
  mutating func removeEverything() throws(Failure)
}

extension CacheTable {
  package func everyAccount(seenBy clientID: String) throws(Failure) -> [CacheRecord] {
    try everyAccount()
  }

  package func everyAccount(
    in ranges: [Int], seenBy clientID: String?
  ) throws(Failure) -> [CacheRecord] {
    try everyAccount().filter { record in
      record.owner.map { ranges.contains(ListState.range(of: $0)) } ?? false
    }
  }

  /// The records that a call needs.
  package func records(_ selection: SnapshotSelection) throws(Failure) -> [CacheRecord] {
    guard !selection.everything else { return try everything() }
    var records: [CacheRecord] = []
    if let owner = selection.owner {
      records += try accessTokens(of: owner, having: selection.scope).map(CacheRecord.credential)
      records += try self.records(of: owner)
    }
    if selection.everyAccount, let ranges = selection.ranges {
      records += try everyAccount(in: ranges, seenBy: selection.clientID)
    } else if selection.everyAccount, let clientID = selection.clientID {
      records += try everyAccount(seenBy: clientID)
    } else if selection.everyAccount {
      records += try everyAccount()
    }
    for key in selection.keys {
      if let record = try record(at: key) { records.append(record) }
    }
    return records
  }
}
