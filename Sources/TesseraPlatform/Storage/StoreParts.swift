// SPDX-License-Identifier: MIT
// The parts of a store whose changes are told apart: a commit for one person leaves the answers of others alone.

import TesseraCache

/// Some parts of a store.
///
/// Part 0 is everything that people own, and what is known of applications. Each other part is what belongs to the
/// people whose hashes lead there; and what nobody owns, such as discovery, by its own key.
struct StoreParts {
  /// The numbers of all parts.
  static let all = 0...448
  /// The part that changes with every owner.
  static let everything = 0
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
  mutating func insert(owner: Int64?, key: Int64, type: Int) {
    if let owner {
      some.formUnion([StoreParts.everything, StoreParts.part(of: owner)])
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
    if selection.everyAccount { return keys.isEmpty ? everything : nil }
    let owners = selection.owner.map { [part(of: RecordKey.number(of: $0))] } ?? []
    let parts = Set(owners + keys.map { part(of: $0.number) })
    return parts.isEmpty ? everything : parts.count == 1 ? parts.first : nil
  }

  private static func part(of hash: Int64) -> Int {
    1 + Int(UInt64(bitPattern: hash) % UInt64(all.upperBound))
  }
}
