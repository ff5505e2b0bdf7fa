// SPDX-License-Identifier: MIT
// Which entries of a section hold a record, noted while a change is made: each entry is decoded once, however many steps it has.

import TesseraWire

/// What is known of the entries of some accounts in one section.
struct UnifiedIndex: Sendable {
  /// The entries with one mark.
  struct Group: Sendable {
    /// Which entries hold a record.
    private var places: [RecordKey: [Int]] = [:]
    /// Which record an entry holds.
    private var keys: [Int: RecordKey] = [:]
    /// How many entries lie under a text.
    private var texts: [String: Int] = [:]

    /// The entries that hold a record.
    func places(of key: RecordKey) -> [Int] { places[key] ?? [] }

    /// Whether an entry lies under a text.
    func isTaken(_ text: String) -> Bool { texts[text, default: 0] > 0 }

    /// Notes an entry under its text.
    mutating func add(_ index: Int, _ key: RecordKey?, under text: String) {
      texts[text, default: 0] &+= 1
      note(index, key)
    }

    /// Notes which record an entry holds now.
    mutating func note(_ index: Int, _ key: RecordKey?) {
      guard keys[index] != key else { return }
      if let old = keys[index] { places[old]?.removeAll { $0 == index } }
      keys[index] = key
      if let key { places[key, default: []].append(index) }
    }

    /// Forgets an entry.
    mutating func remove(_ index: Int, under text: String) {
      texts[text]? &-= 1
      note(index, nil)
    }
  }

  private var groups: [UInt64: Group] = [:]

  /// The entries with a mark; nil as long as nobody has looked.
  subscript(_ mark: UInt64) -> Group? {
    get { groups[mark] }
    _modify { yield &groups[mark] }
  }
}

extension UnifiedCache {
  /// The entries of a record that is going to be changed.
  mutating func placesToChange(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    let marks = marks(of: key, in: section)
    for mark in marks { look(section, mark) }
    look(section, UnifiedMark.unknown)
    return Set(marks + [UnifiedMark.unknown]).flatMap { mark in
      indexes[section.number][mark]?.places(of: key) ?? []
    }.sorted()
  }

  /// Adds an entry under its key, or one like it where somebody else's entry has that.
  mutating func add(
    _ section: UnifiedSection, _ text: String, _ members: JSONObject, owner: UInt64, account: UInt64
  ) {
    look(section, account)
    look(section, UnifiedMark.unknown)
    var free = text
    var number = 2
    while isTaken(free, section, account) {
      free = "\(text)-\(number)"
      number &+= 1
    }
    let index = document[section].count
    document[section].add(free, .object(members), owner: owner, account: account)
    noteAdded(section, index, free)
  }

  /// Notes a new entry.
  mutating func noteAdded(_ section: UnifiedSection, _ index: Int, _ text: String) {
    foreignIndex?.texts[section, default: []].insert(text)
    guard indexes.indices.contains(section.number) else { return }
    let key = record(section, index)?.key
    indexes[section.number][document[section].accounts[index]]?.add(index, key, under: text)
  }

  /// Whether an entry of an account lies under a text.
  private func isTaken(_ text: String, _ section: UnifiedSection, _ account: UInt64) -> Bool {
    [account, UnifiedMark.unknown].contains { indexes[section.number][$0]?.isTaken(text) == true }
  }

  /// Gives an entry other members.
  mutating func replace(_ section: UnifiedSection, _ index: Int, _ members: JSONObject) {
    document[section].store(.object(members), at: index)
    let key = record(section, index)?.key
    indexes[section.number][document[section].accounts[index]]?.note(index, key)
  }

  /// Removes an entry.
  mutating func drop(_ section: UnifiedSection, _ index: Int) {
    let text = document.key(section, index)
    document[section].remove(at: index)
    foreignIndex?.texts[section]?.remove(text)
    guard indexes.indices.contains(section.number) else { return }
    indexes[section.number][document[section].accounts[index]]?.remove(index, under: text)
  }

  /// Notes the entries with a mark, unless that was done before.
  private mutating func look(_ section: UnifiedSection, _ mark: UInt64) {
    guard indexes[section.number][mark] == nil else { return }
    var group = UnifiedIndex.Group()
    let list = document[section]
    for index in list.indices(\.accounts, having: [mark]) where list.accounts[index] == mark {
      group.add(index, record(section, index)?.key, under: document.key(section, index))
    }
    indexes[section.number][mark] = group
  }
}
