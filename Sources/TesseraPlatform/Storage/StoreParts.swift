// SPDX-License-Identifier: MIT
// The parts of a store whose changes are told apart: a commit for one person leaves the answers of others alone.

import TesseraCache

/// Some parts of a store.
///
/// Part 0 is the list of the accounts: what belongs to all people, as far as it says that they have signed in. Each other
/// part is all that belongs to the people whose hashes lead there; and what nobody owns, such as discovery, by its own
/// key. What is known of applications is part of all of them.
struct StoreParts {
  /// The numbers of all parts.
  static let all = 0...448
  /// The part that changes when somebody signs in or out, but not with a refresh.
  static let accountList = 0
  /// From here on types are Tessera's own: what servers said of themselves, which no cached token depends on.
  private static let firstOwnType = 9000

  private var some: Set<Int> = []
  private var isAll = false

  /// The numbers of these parts.
  var numbers: [Int] { isAll ? Array(StoreParts.all) : Array(some) }

  /// Whether there is none.
  var isEmpty: Bool { some.isEmpty && !isAll }

  /// Adds what a record is part of.
  ///
  /// - Parameters:
  ///   - owner: the hash of its owner; nil for a record that nobody owns.
  ///   - key: the hash of its key.
  ///   - type: the number of its type.
  ///   - changesList: whether the list of the accounts may be another one without it.
  mutating func insert(owner: Int64?, key: Int64, type: Int, changesList: Bool) {
    if let owner {
      some.insert(StoreParts.part(of: owner))
      if changesList { some.insert(StoreParts.accountList) }
    } else if type < StoreParts.firstOwnType {
      // It decides about everybody's tokens, and hardly ever changes.
      isAll = true
    } else {
      some.insert(StoreParts.part(of: key))
    }
  }

  /// Adds other parts.
  mutating func formUnion(_ other: StoreParts) {
    some.formUnion(other.some)
    isAll = isAll || other.isAll
  }

  /// The one part that holds all that a call sees; nil if it sees several.
  static func part(seenBy selection: SnapshotSelection) -> Int? {
    // What is known of an application is part of everything.
    let keys = selection.keys.filter { $0.type != AppMetadataRecord.typeNumber }
    // A key does not tell whose record it is.
    guard keys.allSatisfy({ $0.type >= firstOwnType }) else { return nil }
    if selection.everyAccount { return keys.isEmpty ? accountList : nil }
    let owners = selection.owner.map { [part(of: RecordKey.number(of: $0))] } ?? []
    let parts = Set(owners + keys.map { part(of: $0.number) })
    return parts.isEmpty ? accountList : parts.count == 1 ? parts.first : nil
  }

  static func part(of hash: Int64) -> Int {
    1 + Int(UInt64(bitPattern: hash) % UInt64(all.upperBound))
  }
}
