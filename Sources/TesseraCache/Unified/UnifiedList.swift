// SPDX-License-Identifier: MIT
// The entries of one section: where they lie, whose they are, and what was changed about them.

import TesseraWire

/// The entries of one section of the document.
struct UnifiedList: Sendable {
  /// What was changed about an entry.
  enum Edit: Sendable {
    case removed
    /// It has another value; with a key it is new.
    case stored(key: String?, JSONValue)
  }

  /// Where the section's value lies; nil for a section that is not there yet.
  var place: Range<Int>?
  /// Where the keys lie, with their quotes; empty for new entries.
  private(set) var keys: [Range<Int>] = []
  /// Where the values lie; empty for new entries.
  private(set) var values: [Range<Int>] = []
  /// Whose the entries are.
  private(set) var owners: [UInt64] = []
  /// Whose they are, and of which environment; in Tessera's own section what their keys are.
  private(set) var accounts: [UInt64] = []
  /// Which scopes an access token can have; see `UnifiedScopes`.
  private(set) var scopes: [UnifiedScopes] = []
  /// What is there instead of a list of entries; nil for a list, or for what is there already.
  var whole: JSONValue?
  /// What was changed, by the number of the entry.
  private(set) var edits: [Int: Edit] = [:]

  /// How many entries there are, removed ones included.
  var count: Int { keys.count }
  /// Whether anything was changed.
  var isChanged: Bool { !edits.isEmpty || whole != nil }

  /// Adds an entry that lies in the document.
  mutating func append(
    key: Range<Int>, value: Range<Int>, owner: UInt64, account: UInt64,
    scopes: UnifiedScopes = .unknown
  ) {
    keys.append(key)
    values.append(value)
    owners.append(owner)
    accounts.append(account)
    self.scopes.append(scopes)
  }

  /// Adds a new entry.
  mutating func add(_ key: String, _ value: JSONValue, owner: UInt64, account: UInt64) {
    edits[count] = .stored(key: key, value)
    append(key: 0..<0, value: 0..<0, owner: owner, account: account)
  }

  /// Gives an entry another value.
  mutating func store(_ value: JSONValue, at index: Int) {
    var key: String?
    if case .stored(let name, _)? = edits[index] { key = name }
    edits[index] = .stored(key: key, value)
    scopes[index] = .unknown
  }

  /// Removes an entry.
  mutating func remove(at index: Int) {
    edits[index] = .removed
  }

  /// Whether an entry was removed.
  func isRemoved(_ index: Int) -> Bool {
    guard !edits.isEmpty, case .removed? = edits[index] else { return false }
    return true
  }

  /// The entries with one of some marks, and those whose mark is not known.
  func indices(
    _ marks: KeyPath<UnifiedList, [UInt64]>, having wanted: some Collection<UInt64>
  ) -> [Int] {
    let marks = self[keyPath: marks]
    return marks.indices.filter { index in
      (marks[index] == UnifiedMark.unknown || wanted.contains(marks[index])) && !isRemoved(index)
    }
  }

  /// The entries of an owner that can be access tokens for a scope, or for any.
  func indices(of owner: UInt64, having scope: String?) -> [Int] {
    let indices = indices(\.owners, having: [owner])
    guard let scope else { return indices }
    let wanted = UnifiedScopes(scope)
    return indices.filter { scopes[$0].canHave(wanted) }
  }

  /// All entries.
  var indices: [Int] { (0..<count).filter { !isRemoved($0) } }
}
