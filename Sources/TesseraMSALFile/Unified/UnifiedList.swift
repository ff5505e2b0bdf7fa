// SPDX-License-Identifier: MIT
// The entries of one section: their positions, their hashes and their changes.

import TesseraCache
import TesseraWire

/// The entries of one section of the document.
struct UnifiedList: Sendable {
  /// A change of an entry.
  enum Edit: Sendable {
    case removed
    /// The entry has a new value.
    ///
    /// With a key, the entry is new.
    case stored(key: String?, JSONValue)
  }

  /// The metadata of an entry, collected without decoding it.
  struct Entry: Sendable, Equatable {
    /// The byte range of the key with its quotes, or an empty range for a new entry.
    var key: Range<Int>
    /// The byte range of the value, or an empty range for a new entry.
    var value: Range<Int>
    /// The hash of the home account ID.
    let owner: UInt64
    /// The hash of home account ID and environment.
    ///
    /// In Tessera's own section, it is the hash of the key.
    let account: UInt64
    /// The scopes that the entry may have as an access token.
    var scopes: UnifiedScopes

    /// The byte range of the entry.
    var byteRange: Range<Int> { key.lowerBound..<value.upperBound }
  }

  /// The byte range of the section's value, or `nil` for a new section.
  var byteRange: Range<Int>?
  /// The entries, including removed ones.
  private(set) var entries: [Entry] = []
  /// A new value for a section that is not an object, or `nil` if the section is an object or unchanged.
  var nonObjectValue: JSONValue?
  /// The changes, by entry number.
  private(set) var edits: [Int: Edit] = [:]

  /// The number of entries, including removed ones.
  var count: Int { entries.count }
  /// Whether the section has changes.
  var isChanged: Bool { !edits.isEmpty || nonObjectValue != nil }

  /// Adds an entry of the document.
  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  /// Reserves memory for the expected number of entries.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
  }

  /// Adds a new entry.
  mutating func add(_ key: String, _ value: JSONValue, owner: UInt64, account: UInt64) {
    edits[count] = .stored(key: key, value)
    append(Entry(key: 0..<0, value: 0..<0, owner: owner, account: account, scopes: .unknown))
  }

  /// Replaces the value of an entry.
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

  /// Returns the entries with one of the hashes, and those with an unknown hash.
  func indices(having wanted: some Collection<UInt64>, _ hash: (Entry) -> UInt64) -> [Int] {
    entries.indices.filter { index in
      let hash = hash(entries[index])
      return (hash == AccountHash.unknown || wanted.contains(hash)) && !isRemoved(index)
    }
  }

  /// Returns the entries of an owner that may be access tokens for a scope, or for any scope if it is `nil`.
  func indices(of owner: UInt64, having scope: String?) -> [Int] {
    let indices = indices(having: [owner], \.owner)
    guard let scope else { return indices }
    let wanted = UnifiedScopes(scope)
    return indices.filter { entries[$0].scopes.mayContain(wanted) }
  }

  /// The numbers of all entries, without removed ones.
  var indices: [Int] { (0..<count).filter { !isRemoved($0) } }
}
