// SPDX-License-Identifier: MIT
// The records that a call reads from the cache, all from the same store version.

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
  /// A scope that the owner's access tokens must have, or `nil` for all access tokens.
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
