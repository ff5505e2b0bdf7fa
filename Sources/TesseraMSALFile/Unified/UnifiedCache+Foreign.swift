// SPDX-License-Identifier: MIT
// Entries without a record type: read, stored and removed without interpretation.

import TesseraCache
import TesseraWire

/// The positions of the entries without a record type, built when the first of them is changed.
struct ForeignEntryIndex: Sendable {
  /// The position of an entry in the document.
  struct EntryPosition: Sendable {
    let section: UnifiedSection
    let index: Int
  }

  /// The positions of the entries without a record type.
  var positions: [RecordKey: [EntryPosition]] = [:]
  /// The keys in use, for each section.
  var keyTexts: [UnifiedSection: Set<ExactString>] = [:]
}

extension UnifiedCache {
  /// All entries without a record type, in all sections except Tessera's own.
  var foreign: [CacheRecord] { everything().filter { $0.owner == ForeignRecord.owner } }

  /// Returns the foreign entry with a key, or `nil` if there is none.
  func foreign(at key: RecordKey) -> CacheRecord? {
    guard let positions = foreignIndex?.positions else { return foreign.first { $0.key == key } }
    if let position = positions[key]?.last {
      return foreign(position.section, position.index).map(CacheRecord.foreign)
    }
    return foreignMembers().first { $0.key == key }
  }

  /// Returns an entry as a foreign record, or `nil` if it loads as a record or is in Tessera's own section.
  func foreign(_ section: UnifiedSection, _ index: Int) -> ForeignRecord? {
    guard section != .own, record(section, index) == nil,
      let value = document.value(section, index)
    else { return nil }
    return ForeignRecord(
      DocumentEntry(
        section: document.name(of: section), key: document.key(section, index), value: value))
  }

  /// Returns the unknown sections that are not objects.
  func foreignMembers() -> [CacheRecord] {
    document.sections.compactMap { section in
      guard case .other = section, let value = document.nonObjectValue(section) else { return nil }
      return .foreign(
        ForeignRecord(DocumentEntry(section: document.name(of: section), key: "", value: value)))
    }
  }

  /// Stores an entry of another library in its section, under its key.
  mutating func store(_ foreign: ForeignRecord) {
    let entry = foreign.entry
    // Ignore entries in Tessera's own section, and known sections that are not objects.
    let known = UnifiedSection(name: entry.section)
    guard known != .own else { return }
    indexForeignEntries()
    let section = known ?? document.other(entry.section)
    guard !entry.key.isEmpty || entry.value.object != nil else {
      if known == nil { document.setNonObjectValue(section, entry.value) }
      return
    }
    guard document.nonObjectValue(section) == nil || known != nil else { return }
    let positions = foreignIndex?.positions[foreign.key] ?? []
    for position in positions.dropLast() { drop(position.section, position.index) }
    if let last = positions.last {
      foreignIndex?.positions[foreign.key] = [last]
      if document.value(last.section, last.index) != entry.value {
        document[last.section].store(entry.value, at: last.index)
      }
      return
    }
    add(entry, section)
  }

  /// Removes an entry of another library.
  ///
  /// A section that is not an object is kept.
  mutating func removeForeign(_ key: RecordKey) {
    indexForeignEntries()
    for position in foreignIndex?.positions.removeValue(forKey: key) ?? [] {
      drop(position.section, position.index)
    }
  }

  /// Adds an entry under its key, or under a numbered variant if the key is in use.
  private mutating func add(_ entry: DocumentEntry, _ section: UnifiedSection) {
    var free = entry.key
    var number = 2
    while foreignIndex?.keyTexts[section]?.contains(free) == true {
      free = "\(entry.key)-\(number)"
      number &+= 1
      let other = ForeignRecord(
        DocumentEntry(section: entry.section, key: free, value: entry.value))
      guard let position = foreignIndex?.positions[other.key]?.last else { continue }
      // The same entry was stored under this key before.
      if document.value(position.section, position.index) == entry.value { return }
    }
    let members = entry.value.object
    let home = members?["home_account_id"]?.string ?? ""
    let environment = members?["environment"]?.string ?? ""
    let new = ForeignRecord(DocumentEntry(section: entry.section, key: free, value: entry.value))
    let position = ForeignEntryIndex.EntryPosition(section: section, index: document[section].count)
    document[section].add(
      free, entry.value, owner: AccountHash(section == .appMetadata ? "" : home).number,
      account: AccountHash.account(section == .appMetadata ? "" : home, environment))
    indexAddedEntry(section, position.index, free)
    foreignIndex?.positions[new.key] = [position]
  }

  /// Builds the index of foreign entries, unless it exists.
  mutating func indexForeignEntries() {
    guard foreignIndex == nil else { return }
    document.readUnknownSections()
    var found = ForeignEntryIndex()
    for section in document.sections where section != .own {
      for index in document[section].indices {
        found.keyTexts[section, default: []].insert(document.key(section, index))
        guard let foreign = foreign(section, index) else { continue }
        found.positions[foreign.key, default: []].append(.init(section: section, index: index))
      }
    }
    foreignIndex = found
  }
}
