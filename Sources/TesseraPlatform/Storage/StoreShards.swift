// SPDX-License-Identifier: MIT
// Shards of a store, each with its own change counter, so that a commit invalidates related cache entries only.

import TesseraCache

/// A set of shards of a store.
///
/// Shard 0 is the account list: it changes when a user signs in or out. Each of the next shards does the same for one
/// range of account hashes.
///
/// The other shards are selected by a hash. For the records of an account, it is the hash of the account. For access
/// tokens, it is the hash of the account and a scope. For records without an account, such as discovery, it is the hash
/// of the key. Application metadata affects all shards.
struct StoreShards {
  /// The range of valid shard numbers.
  static let all = 0...4094
  /// The shard that changes when a user signs in or out, but not on a refresh.
  static let accountList = 0
  /// The shards that identify the ranges of the account list with changes.
  static let ranges = 1...AccountListVersion.rangeCount
  /// The shards that are selected by hash.
  private static let hashedShards = ranges.upperBound + 1...all.upperBound
  /// The lowest type number of records that no cached token depends on, such as provider metadata.
  private static let firstInternalType = 9000

  private var selected: Set<Int> = []
  private var isAll = false

  /// The numbers of the shards in this set.
  var numbers: [Int] { isAll ? Array(StoreShards.all) : Array(selected) }

  /// Whether the set is empty.
  var isEmpty: Bool { selected.isEmpty && !isAll }

  /// Adds the shards of a record other than an access token.
  ///
  /// - Parameters:
  ///   - owner: The hash of its home account ID; nil for a record without an account.
  ///   - key: The hash of its key.
  ///   - type: Its type number.
  ///   - changesList: Whether the record may change the account list.
  mutating func insert(owner: Int64?, key: Int64, type: Int, changesList: Bool) {
    if let owner {
      selected.insert(StoreShards.shard(of: owner))
      if changesList {
        selected.formUnion([StoreShards.accountList, StoreShards.range(of: owner)])
      }
    } else if type < StoreShards.firstInternalType {
      // Application metadata affects the tokens of all accounts, and rarely changes.
      isAll = true
    } else {
      selected.insert(StoreShards.shard(of: key))
    }
  }

  /// Adds the shard of an access token.
  ///
  /// - Parameter scope: The hash of its account and one of its scopes, or no scope.
  mutating func insert(scope: Int64) { selected.insert(StoreShards.shard(of: scope)) }

  /// Adds all shards.
  mutating func insertAll() { isAll = true }

  /// Adds the shards of another set.
  mutating func formUnion(_ other: StoreShards) {
    selected.formUnion(other.selected)
    isAll = isAll || other.isAll
  }

  /// Returns the one or two shards that cover a selection; nil if more would be needed.
  static func shards(readBy selection: SnapshotSelection) -> ShardPair? {
    guard !selection.everything else { return nil }
    // Application metadata is part of every shard.
    let keys = selection.keys.filter { $0.type != AppMetadataRecord.typeNumber }
    // The owner of a record cannot be derived from its key.
    guard keys.allSatisfy({ $0.type >= firstInternalType }) else { return nil }
    if selection.allAccounts { return keys.isEmpty ? ShardPair(accountList) : nil }
    if let owner = selection.owner {
      return keys.isEmpty
        ? ShardPair(
          owner: RecordKey.number(of: owner),
          scope: SQLiteTable.scopeName(owner, selection.scope)) : nil
    }
    let shards = Set(keys.map { shard(of: $0.number) })
    return shards.count > 1 ? nil : ShardPair(shards.first ?? accountList)
  }

  /// Returns the shard of a hash.
  static func shard(of hash: Int64) -> Int {
    hashedShards.lowerBound + Int(UInt64(bitPattern: hash) % UInt64(hashedShards.count))
  }

  /// Returns the shard for the range of an account hash.
  static func range(of owner: Int64) -> Int {
    ranges.lowerBound + AccountListVersion.range(of: owner)
  }
}

/// One or two shards that cover the data read by a call.
struct ShardPair {
  let one: Int
  let other: Int

  /// Creates a value for one shard.
  init(_ shard: Int) { (one, other) = (shard, shard) }

  /// Creates a value for the records of an account and its access tokens with a scope, given their hashes.
  init(owner: Int64, scope: Int64) {
    (one, other) = (StoreShards.shard(of: owner), StoreShards.shard(of: scope))
  }
}
