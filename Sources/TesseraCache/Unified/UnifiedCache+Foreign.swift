// SPDX-License-Identifier: MIT
// Entries that no record of Tessera's stands for: shown, kept, stored and removed as they are.

import TesseraWire

/// Where the entries of others lie, noted when the first of them is changed.
struct ForeignIndex: Sendable {
  /// An entry of the document.
  struct Place: Sendable {
    let section: UnifiedSection
    let index: Int
  }

  /// The entries that are no records.
  var places: [RecordKey: [Place]] = [:]
  /// Under which texts entries lie, for each member of the document.
  var texts: [UnifiedSection: Set<String>] = [:]
}

extension UnifiedCache {
  /// All that no record stands for, in every member of the document but Tessera's own.
  var foreign: [CacheRecord] { everything().filter { $0.owner == ForeignRecord.owner } }

  /// What lies at a key of something that is no record.
  func foreign(at key: RecordKey) -> CacheRecord? {
    guard let places = foreignIndex?.places else { return foreign.first { $0.key == key } }
    if let place = places[key]?.last {
      return foreign(place.section, place.index).map(CacheRecord.foreign)
    }
    return foreignMembers().first { $0.key == key }
  }

  /// What another library keeps as an entry; nil for a record, and in Tessera's own member.
  func foreign(_ section: UnifiedSection, _ index: Int) -> ForeignRecord? {
    guard section != .own, record(section, index) == nil,
      let value = document.value(section, index)
    else { return nil }
    return ForeignRecord(
      DocumentEntry(
        section: document.name(of: section), key: document.key(section, index), value: value))
  }

  /// The members of the document that are no objects, and that nobody here knows.
  func foreignMembers() -> [CacheRecord] {
    document.sections.compactMap { section in
      guard case .other = section, let value = document.whole(section) else { return nil }
      return .foreign(
        ForeignRecord(DocumentEntry(section: document.name(of: section), key: "", value: value)))
    }
  }

  /// Stores an entry of another library in its own member of the document, under its own key.
  mutating func store(_ foreign: ForeignRecord) {
    let entry = foreign.entry
    // What Tessera knows, and members of the wrong type, nobody else can have meant.
    let known = UnifiedSection(name: entry.section)
    guard known != .own else { return }
    findForeign()
    let section = known ?? document.other(entry.section)
    guard !entry.key.isEmpty || entry.value.object != nil else {
      if known == nil { document.setWhole(section, entry.value) }
      return
    }
    guard document.whole(section) == nil || known != nil else { return }
    let places = foreignIndex?.places[foreign.key] ?? []
    for place in places.dropLast() { drop(place.section, place.index) }
    if let last = places.last {
      foreignIndex?.places[foreign.key] = [last]
      if document.value(last.section, last.index) != entry.value {
        document[last.section].store(entry.value, at: last.index)
      }
      return
    }
    add(entry, section)
  }

  /// Removes an entry of another library; a member that is no object stays.
  mutating func removeForeign(_ key: RecordKey) {
    findForeign()
    for place in foreignIndex?.places.removeValue(forKey: key) ?? [] {
      drop(place.section, place.index)
    }
  }

  /// Adds an entry under its key, or one like it where a record has that.
  private mutating func add(_ entry: DocumentEntry, _ section: UnifiedSection) {
    var free = entry.key
    var number = 2
    while foreignIndex?.texts[section]?.contains(free) == true {
      free = "\(entry.key)-\(number)"
      number &+= 1
      let other = ForeignRecord(
        DocumentEntry(section: entry.section, key: free, value: entry.value))
      guard let place = foreignIndex?.places[other.key]?.last else { continue }
      // It was given that key before.
      if document.value(place.section, place.index) == entry.value { return }
    }
    let members = entry.value.object
    let home = members?["home_account_id"]?.string ?? ""
    let environment = members?["environment"]?.string ?? ""
    let new = ForeignRecord(DocumentEntry(section: entry.section, key: free, value: entry.value))
    let place = ForeignIndex.Place(section: section, index: document[section].count)
    document[section].add(
      free, entry.value, owner: ScanPosition(section == .appMetadata ? "" : home).number,
      account: ScanPosition.account(section == .appMetadata ? "" : home, environment))
    noteAdded(section, place.index, free)
    foreignIndex?.places[new.key] = [place]
  }

  /// Notes where the entries of others lie, unless that was done before.
  mutating func findForeign() {
    guard foreignIndex == nil else { return }
    document.findOthers()
    var found = ForeignIndex()
    for section in document.sections where section != .own {
      for index in document[section].indices {
        found.texts[section, default: []].insert(document.key(section, index))
        guard let foreign = foreign(section, index) else { continue }
        found.places[foreign.key, default: []].append(.init(section: section, index: index))
      }
    }
    foreignIndex = found
  }
}
