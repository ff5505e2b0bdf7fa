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

  /// What is known of an entry without decoding it.
  struct Entry: Sendable, Equatable {
    /// Where the key lies, with its quotes; empty for a new entry.
    var key: Range<Int>
    /// Where the value lies; empty for a new entry.
    var value: Range<Int>
    /// Whose it is.
    let owner: UInt64
    /// Whose it is, and of which environment; in Tessera's own section what its key is.
    let account: UInt64
    /// Which scopes it can have as an access token; see `UnifiedScopes`.
    var scopes: UnifiedScopes

    /// Where it lies.
    var place: Range<Int> { key.lowerBound..<value.upperBound }
  }

  /// Where the section's value lies; nil for a section that is not there yet.
  var place: Range<Int>?
  /// The entries, removed ones included.
  private(set) var entries: [Entry] = []
  /// What is there instead of a list of entries; nil for a list, or for what is there already.
  var whole: JSONValue?
  /// What was changed, by the number of the entry.
  private(set) var edits: [Int: Edit] = [:]

  /// How many entries there are, removed ones included.
  var count: Int { entries.count }
  /// Whether anything was changed.
  var isChanged: Bool { !edits.isEmpty || whole != nil }

  /// Adds an entry that lies in the document.
  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  /// Makes room for as many entries as there will probably be.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
  }

  /// Adds a new entry.
  mutating func add(_ key: String, _ value: JSONValue, owner: UInt64, account: UInt64) {
    edits[count] = .stored(key: key, value)
    append(Entry(key: 0..<0, value: 0..<0, owner: owner, account: account, scopes: .unknown))
  }

  /// Gives an entry another value.
  mutating func store(_ value: JSONValue, at index: Int) {
    var key: String?
    if case .stored(let name, _)? = edits[index] { key = name }
    edits[index] = .stored(key: key, value)
    entries[index].scopes = .unknown
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
  func indices(having wanted: some Collection<UInt64>, _ mark: (Entry) -> UInt64) -> [Int] {
    entries.indices.filter { index in
      let mark = mark(entries[index])
      return (mark == ScanPosition.unknown || wanted.contains(mark)) && !isRemoved(index)
    }
  }

  /// The entries of an owner that can be access tokens for a scope, or for any.
  func indices(of owner: UInt64, having scope: String?) -> [Int] {
    let indices = indices(having: [owner], \.owner)
    guard let scope else { return indices }
    let wanted = UnifiedScopes(scope)
    return indices.filter { entries[$0].scopes.canHave(wanted) }
  }

  /// All entries.
  var indices: [Int] { (0..<count).filter { !isRemoved($0) } }
}
