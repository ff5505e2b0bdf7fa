// SPDX-License-Identifier: MIT
// A snapshot of the records of a user, and the queries on it.

package import TesseraWire

/// A consistent subset of the records of the cache.
package struct CacheSnapshot: Sendable {
  /// The records.
  package let records: [CacheRecord]
  /// The store version of the records, or `nil` if the store cannot detect later changes.
  package let version: StoreVersion?
  /// The condition of the store, which explains an empty result.
  package let condition: StoreCondition
  /// The records that are in memory only, and the reason why they were not stored.
  package var unstored: (records: Set<CacheRecord>, reason: String)?
  /// The version of the account list, or `nil` if it is unknown or the list was not read.
  package var list: AccountListVersion?
  /// The account ranges that were read, or `nil` for the whole list.
  package var ranges: [Int]?

  package init(
    records: [CacheRecord], version: StoreVersion?, condition: StoreCondition = .usable
  ) {
    self.records = records
    self.version = version
    self.condition = condition
  }

  /// The credentials of all types.
  package var credentials: [CredentialRecord] {
    records.compactMap { if case .credential(let record) = $0 { record } else { nil } }
  }

  /// The accounts, one record per tenant.
  package var accounts: [AccountRecord] {
    records.compactMap { if case .account(let record) = $0 { record } else { nil } }
  }

  /// The app metadata, including the token family of each application.
  package var appMetadata: [AppMetadataRecord] {
    records.compactMap { if case .appMetadata(let record) = $0 { record } else { nil } }
  }

  /// Returns the account metadata of an application for the selected account, or `nil` if there is none.
  package func accountMetadata(of clientID: String) -> AccountMetadataRecord? {
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      return record
    }
    return nil
  }

  /// Returns the sign-in states that an application has recorded, by home account ID.
  package func signInStates(of clientID: String) -> [ExactString: SignInState] {
    var states: [ExactString: SignInState] = [:]
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      if let id = record.homeAccountID { states[id] = record.state(of: id) }
    }
    return states
  }

  /// Returns the cached discovery document of an authority, or `nil` if there is none.
  package func discovery(of authority: String) -> DiscoveryRecord? {
    for case .discovery(let record) in records where record.authority == authority {
      return record
    }
    return nil
  }

  /// The recorded failures.
  package var throttles: [ThrottleRecord] {
    records.compactMap { if case .throttle(let record) = $0 { record } else { nil } }
  }

  /// The record of host-driven sign-ins, or `nil` if there is none.
  package var signIn: SignInRecord? {
    for case .signIn(let record) in records { return record }
    return nil
  }

  /// The accounts that were imported from the caches of older libraries.
  package var legacyAccounts: [LegacyAccountRecord] {
    records.compactMap { if case .legacyAccount(let record) = $0 { record } else { nil } }
  }

  /// Returns the family ID of an application, or `nil` if the application does not share refresh tokens.
  ///
  /// An application without app metadata may belong to family 1, the only existing family. An empty family ID in the
  /// app metadata means that it does not (MSAL for Apple).
  package func familyID(of clientID: String) -> String? {
    guard let metadata = appMetadata.first(where: { $0.clientID.normalised == clientID.normalised })
    else { return "1" }
    return metadata.familyID.nonBlank
  }
}

/// The records to read for one call.
///
/// Unless all accounts or all records are selected, the cost does not depend on the size of the store.
package struct SnapshotSelection: Sendable {
  /// The home account ID of the tokens and accounts to read.
  package var owner: String?
  /// A scope that the owner's access tokens must have, or the name of a ``TenantScope``; `nil` for all access tokens.
  package var scope: String?
  /// Returns whether some records of the owner suffice, so that neither the rest nor the keys are read.
  ///
  /// The second parameter states whether the rest has refresh tokens, which a call with a valid access token does not need
  /// to decrypt. `nil` to read all selected records.
  package var isSufficient: (@Sendable ([CacheRecord], Bool) -> Bool)?
  /// Whether to read all accounts, with the refresh tokens and ID tokens that determine which applications may use them.
  ///
  /// The version of such a snapshot may stay the same when a refresh replaces one of these tokens.
  package var allAccounts = false
  /// The application that requests all accounts, or `nil` for any application.
  ///
  /// The sign-in state that the application has recorded for an account takes precedence over tokens. A store may
  /// therefore omit the tokens of such accounts.
  package var clientID: String?
  /// The version of the account list that the caller has cached.
  ///
  /// A store may then return only the changes.
  package var since: AccountListVersion?
  /// The account ranges to read, or `nil` for all of them.
  package var ranges: [Int]?
  /// Whether to read all records.
  ///
  /// It overrides all other options.
  ///
  /// The snapshot then has no version.
  package var everything = false
  /// The keys of individual records to read.
  package var keys: [RecordKey] = []

  /// Creates an empty selection.
  package init() {}

  /// Whether no record is needed.
  package var isEmpty: Bool { owner == nil && !allAccounts && !everything && keys.isEmpty }
}

/// A version of one or two shards of a store.
///
/// It is current until a process commits a change to one of them.
package struct StoreVersion: Sendable, Hashable {
  /// The identity of the store, which changes if the store is deleted, replaced or restored.
  package let identity: UInt64
  /// The number of the shard.
  ///
  /// A shard has the records of some accounts, or all records.
  package let shard: Int
  /// The change counter of the shard.
  ///
  /// Its value changes with every commit and is never reused.
  package let commits: UInt64
  /// The number of the second shard, which is the same as the first in a store with a single shard.
  package let otherShard: Int
  /// The change counter of the second shard.
  package let otherCommits: UInt64

  /// Creates a version of one shard.
  package init(identity: UInt64, shard: Int = 0, commits: UInt64) {
    self.init(
      identity: identity, shard: shard, commits: commits, otherShard: shard, otherCommits: commits)
  }

  /// Creates a version of two shards.
  package init(
    identity: UInt64, shard: Int, commits: UInt64, otherShard: Int, otherCommits: UInt64
  ) {
    self.identity = identity
    self.shard = shard
    self.commits = commits
    self.otherShard = otherShard
    self.otherCommits = otherCommits
  }
}

/// The condition of a store.
///
/// A damaged store is never reported as empty.
package enum StoreCondition: Sendable, Hashable {
  /// The store has accounts.
  ///
  /// A record that was not found does not exist.
  case usable
  /// The store does not exist yet.
  case missing
  /// The store has no accounts.
  case empty
  /// Part of the store was damaged and may have contained the record.
  ///
  /// The value states the location of the damage.
  case damaged(String)
}

/// A version of the account list, with one change counter for each range of account hashes.
package struct AccountListVersion: Sendable, Hashable {
  /// The number of ranges.
  package static let rangeCount = 2048
  /// The maximum number of changed ranges to read separately.
  ///
  /// Beyond that, reading the whole list is faster.
  private static let maximumChangeCount = 128

  /// The identity of the store, which changes if the store is deleted, replaced or restored.
  private let identity: UInt64
  private let ranges: [UInt64]

  /// Creates a version from the change counters of all ranges.
  package init(identity: UInt64, ranges: [UInt64]) {
    self.identity = identity
    self.ranges = ranges
  }

  /// Returns the ranges that may have changed since an older version.
  ///
  /// - Returns: The ranges, or `nil` if there are too many or if the versions belong to different stores.
  package func changes(since older: AccountListVersion) -> [Int]? {
    guard older.identity == identity, older.ranges.count == ranges.count else { return nil }
    var changes: [Int] = []
    for (range, number) in ranges.enumerated() where older.ranges[range] != number {
      guard changes.count < AccountListVersion.maximumChangeCount else { return nil }
      changes.append(range)
    }
    return changes
  }

  /// Returns the range of an account.
  package static func range(of homeAccountID: String) -> Int {
    range(of: RecordKey.number(of: homeAccountID))
  }

  /// Returns the range of an account hash: its leading bits, so that the hashes of a range are contiguous.
  package static func range(of hash: Int64) -> Int {
    Int(UInt64(bitPattern: hash) / (UInt64.max / UInt64(rangeCount) + 1))
  }

  /// Returns the hashes in a range.
  package static func hashes(in range: Int) -> ClosedRange<Int64> {
    let size = Int64(1) << (64 - rangeCount.trailingZeroBitCount)
    let first = Int64(truncatingIfNeeded: range) &* size
    return first...(first &+ (size - 1))
  }
}

/// The records of a store during a transaction, which excludes other writers.
package protocol CacheTable {
  /// The error type of the operations.
  associatedtype Failure: Error

  /// Returns the record with a key, or `nil` if there is none.
  func record(at key: RecordKey) throws(Failure) -> CacheRecord?
  /// Returns all records of a home account ID except its access tokens.
  func records(of owner: String) throws(Failure) -> [CacheRecord]
  /// Returns the access tokens of an owner that have a scope and its records of other types, except refresh tokens.
  ///
  /// `hasOthers` states whether some were omitted. A table in which reading them costs nothing may omit none.
  func recordsWithoutRefreshTokens(
    of owner: String, having scope: String?
  ) throws(Failure) -> (records: [CacheRecord], hasOthers: Bool)
  /// Returns the refresh tokens that ``recordsWithoutRefreshTokens(of:having:)`` omits.
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
    of owner: String, having scope: String?
  ) throws(Failure) -> (records: [CacheRecord], hasOthers: Bool) {
    (try accessTokens(of: owner, having: scope).map { .credential($0) } + records(of: owner), false)
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
      if let isSufficient {
        let hasRefreshTokens: Bool
        (records, hasRefreshTokens) = try table.recordsWithoutRefreshTokens(
          of: owner, having: scope)
        if isSufficient(records, hasRefreshTokens) { return records }
        if hasRefreshTokens { records += try table.refreshTokens(of: owner) }
      } else {
        records += try table.accessTokens(of: owner, having: scope).map(CacheRecord.credential)
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

/// A query for credentials of one type, with the matching rules of the unified schema.
package struct CredentialQuery: Sendable {
  /// The parts to match.
  ///
  /// A `nil` part matches any value. Access tokens match if they have all scopes of the target.
  package var parts: CredentialKeyParts
  /// Other hosts of the same cloud, which match as well.
  package var environmentAliases: [String]

  /// Creates a query for credentials of one type.
  package init(_ parts: CredentialKeyParts, environmentAliases: [String] = []) {
    self.parts = parts
    self.environmentAliases = environmentAliases
  }

  /// The scopes that an access token must have; `nil` for those in the parts.
  package var scopes: Scopes?

  private var hasOwner: Bool { parts.clientID != nil || parts.familyID != nil }

  /// Whether a credential matches.
  ///
  /// The conditions are checked in the order of MSAL for Apple.
  package func matches(_ record: CredentialRecord) -> Bool {
    guard record.type == parts.type, matchesOwner(record), matchesRealm(record),
      matchesTarget(record)
    else { return false }
    guard hasOwner else { return true }
    return matchesClaims(record) && matchesClient(record) && matchesPartition(record)
  }

  private func matchesOwner(_ record: CredentialRecord) -> Bool {
    if let home = parts.homeAccountID, home.normalised != record.homeAccountID.normalised {
      return false
    }
    guard parts.environment != nil || !environmentAliases.isEmpty else { return true }
    let environment = record.environment.normalised
    return parts.environment?.normalised == environment
      || environmentAliases.contains { $0.normalised == environment }
  }

  private func matchesRealm(_ record: CredentialRecord) -> Bool {
    guard let realm = parts.realm, !parts.type.isRefreshToken else { return true }
    return realm.normalised == (record.realm ?? "").normalised
  }

  private func matchesTarget(_ record: CredentialRecord) -> Bool {
    guard record.type.isAccessToken else { return true }
    guard let scopes = scopes ?? parts.target.map({ Scopes(parsing: $0) }) else { return true }
    return scopes.areSatisfied(by: record.target ?? "")
  }

  private func matchesClaims(_ record: CredentialRecord) -> Bool {
    parts.requestedClaims?.nonBlank == record.requestedClaims?.nonBlank
  }

  /// Compares the cache partition of an access token (on Apple platforms, tokens of managed users are partitioned).
  private func matchesPartition(_ record: CredentialRecord) -> Bool {
    guard record.type.isAccessToken else { return true }
    return parts.applicationIdentifier?.nonBlank?.normalised
      == record.applicationIdentifier?.nonBlank?.normalised
  }

  private func matchesClient(_ record: CredentialRecord) -> Bool {
    let client = parts.clientID.map { $0.normalised == record.clientID.normalised }
    let family = parts.familyID.map { $0.normalised == (record.familyID ?? "").normalised }
    return client ?? true && family ?? true
  }
}

extension CacheRecord {
  /// The members that a refresh changes in a token, and that do not affect the account list.
  private static let refreshedMembers: Set = [
    "secret", "cached_at", "expires_on", "extended_expires_on", "refresh_on",
    "last_modification_time",
  ]

  /// Whether the account list may change if this record replaces an older one or is added.
  package func changesAccountList(replacing older: CacheRecord?) -> Bool {
    switch self {
    // These records contain no account data.
    case .discovery, .throttle, .signIn, .legacySources, .foreign: false
    case .credential(let token):
      if token.type.isAccessToken {
        false
      } else if case .credential(let old)? = older, token.type == old.type {
        !token.members.isSame(as: old.members, ignoring: CacheRecord.refreshedMembers)
      } else {
        true
      }
    // The current account of a single-account application is not part of the list.
    case .accountMetadata(let metadata): metadata.homeAccountID != nil
    case .account, .appMetadata, .legacyAccount: true
    }
  }
}
