// SPDX-License-Identifier: MIT
// The parts of a store whose changes are told apart: a commit leaves alone the answers that it has nothing to do with.

import TesseraCache

/// Some parts of a store.
///
/// Part 0 is the list of the accounts: what belongs to all people, as far as it says that they have signed in. The next
/// ones are the same, each for a range of people. Among the rest are spread: what belongs to a person, by the person; the
/// access tokens, by person and scope; and what nobody owns, such as discovery, by its own key. What is known of
/// applications is part of all of them.
struct StoreShards {
  /// The numbers of all parts.
  static let all = 0...4094
  /// The part that changes when somebody signs in or out, but not with a refresh.
  static let accountList = 0
  /// The parts that say whose entries in the list have changed.
  static let ranges = 1...ListState.rangeCount
  /// What the hashes of people, scopes and keys are spread over.
  private static let spread = ranges.upperBound + 1...all.upperBound
  /// From here on types are Tessera's own: what servers said of themselves, which no cached token depends on.
  private static let firstOwnType = 9000

  private var some: Set<Int> = []
  private var isAll = false

  /// The numbers of these parts.
  var numbers: [Int] { isAll ? Array(StoreShards.all) : Array(some) }

  /// Whether there is none.
  var isEmpty: Bool { some.isEmpty && !isAll }

  /// Adds what a record is part of that is no access token.
  ///
  /// - Parameters:
  ///   - owner: the hash of its owner; nil for a record that nobody owns.
  ///   - key: the hash of its key.
  ///   - type: the number of its type.
  ///   - changesList: whether the list of the accounts may be another one without it.
  mutating func insert(owner: Int64?, key: Int64, type: Int, changesList: Bool) {
    if let owner {
      some.insert(StoreShards.part(of: owner))
      if changesList { some.formUnion([StoreShards.accountList, StoreShards.range(of: owner)]) }
    } else if type < StoreShards.firstOwnType {
      // It decides about everybody's tokens, and hardly ever changes.
      isAll = true
    } else {
      some.insert(StoreShards.part(of: key))
    }
  }

  /// Adds what an access token is part of.
  ///
  /// - Parameter scope: the hash of its owner and one of its scopes, or none.
  mutating func insert(scope: Int64) { some.insert(StoreShards.part(of: scope)) }

  /// Adds all of them.
  mutating func insertAll() { isAll = true }

  /// Adds other parts.
  mutating func formUnion(_ other: StoreShards) {
    some.formUnion(other.some)
    isAll = isAll || other.isAll
  }

  /// The one or two parts that hold all that a call sees; nil if it sees more.
  static func parts(seenBy selection: SnapshotSelection) -> ShardVersions? {
    guard !selection.everything else { return nil }
    // What is known of an application is part of everything.
    let keys = selection.keys.filter { $0.type != AppMetadataRecord.typeNumber }
    // A key does not tell whose record it is.
    guard keys.allSatisfy({ $0.type >= firstOwnType }) else { return nil }
    if selection.everyAccount { return keys.isEmpty ? ShardVersions(accountList) : nil }
    if let owner = selection.owner {
      return keys.isEmpty
        ? ShardVersions(
          owner: RecordKey.number(of: owner),
          scope: SQLiteTable.scopeName(owner, selection.scope)) : nil
    }
    let parts = Set(keys.map { part(of: $0.number) })
    return parts.count > 1 ? nil : ShardVersions(parts.first ?? accountList)
  }

  /// The part of a hash.
  static func part(of hash: Int64) -> Int {
    spread.lowerBound + Int(UInt64(bitPattern: hash) % UInt64(spread.count))
  }

  /// The range of the list that a person is in.
  static func range(of owner: Int64) -> Int {
    ranges.lowerBound + ListState.range(of: owner)
  }
}

/// The one or two parts of a store that hold all that a call sees.
struct ShardVersions {
  let one: Int
  let other: Int

  /// One part.
  init(_ part: Int) { (one, other) = (part, part) }

  /// What belongs to a person, and the person's access tokens with a scope; both by their hashes.
  init(owner: Int64, scope: Int64) {
    (one, other) = (StoreShards.part(of: owner), StoreShards.part(of: scope))
  }
}
