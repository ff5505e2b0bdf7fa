// SPDX-License-Identifier: MIT
// Which entries of a section hold a record, noted while a change is made: each entry is decoded once, however many steps it has.

import TesseraWire

/// What is known of the entries of some accounts in one section.
struct UnifiedIndex: Sendable {
  /// The entries with one mark.
  struct Group: Sendable {
    /// Which entries hold a record.
    private var places: [RecordKey: [Int]] = [:]
    /// Which refresh tokens are an application's.
    private var clients: [String: [Int]] = [:]
    /// How many ID tokens of an application have a word in place of a tenant.
    private var words: [String: [String: Int]] = [:]
    /// What is known of an entry.
    private var notes: [Int: EntryMetadata] = [:]
    /// How many entries lie under a text.
    private var texts: [String: Int] = [:]

    /// The entries that hold a record.
    func places(of key: RecordKey) -> [Int] { places[key] ?? [] }

    /// The refresh tokens of an application.
    func places(ofClient client: String) -> [Int] { clients[client] ?? [] }

    /// The words that ID tokens of an application have in place of a tenant.
    func words(ofClient client: String) -> [String] { words[client].map { Array($0.keys) } ?? [] }

    /// Whether an entry lies under a text.
    func isTaken(_ text: String) -> Bool { texts[text, default: 0] > 0 }

    /// Notes an entry under its text.
    mutating func add(_ index: Int, _ note: EntryMetadata, under text: String) {
      texts[text, default: 0] &+= 1
      self.note(index, note)
    }

    /// Notes what is known of an entry now; nil for one that is gone.
    mutating func note(_ index: Int, _ new: EntryMetadata?) {
      guard notes[index] != new else { return }
      if let old = notes[index] { forget(index, old) }
      notes[index] = new
      if let key = new?.key { places[key, default: []].append(index) }
      if let client = new?.client { clients[client, default: []].append(index) }
      if let word = new?.word { words[word.client, default: [:]][word.realm, default: 0] &+= 1 }
    }

    private mutating func forget(_ index: Int, _ old: EntryMetadata) {
      if let key = old.key { places[key]?.removeAll { $0 == index } }
      if let client = old.client { clients[client]?.removeAll { $0 == index } }
      guard let word = old.word, let count = words[word.client]?[word.realm] else { return }
      words[word.client]?[word.realm] = count > 1 ? count &- 1 : nil
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
    look(section, ScanPosition.unknown)
    return Set(marks + [ScanPosition.unknown]).flatMap { mark in
      indexes[section.number][mark]?.places(of: key) ?? []
    }.sorted()
  }

  /// The refresh tokens of an account and an application, and what may be some, in the order of the document.
  mutating func refreshTokens(of token: CredentialRecord) -> [Int] {
    let marks = lookedAt(.refreshToken, of: token)
    return marks.flatMap { mark in
      indexes[UnifiedSection.refreshToken.number][mark]?
        .places(ofClient: token.clientID.normalised) ?? []
    }.sorted()
  }

  /// The words that ID tokens of an account and an application have in place of a tenant.
  mutating func tenantWords(of token: CredentialRecord) -> [String] {
    let marks = lookedAt(.idToken, of: token)
    return marks.flatMap { mark in
      indexes[UnifiedSection.idToken.number][mark]?
        .words(ofClient: token.clientID.normalised) ?? []
    }
  }

  /// The marks under which an account's entries lie, all of them noted.
  private mutating func lookedAt(
    _ section: UnifiedSection, of token: CredentialRecord
  ) -> Set<UInt64> {
    let marks = Set(marks(of: token.homeAccountID, token.environment) + [ScanPosition.unknown])
    for mark in marks { look(section, mark) }
    return marks
  }

  /// Adds an entry under its key, or one like it where somebody else's entry has that.
  mutating func add(
    _ section: UnifiedSection, _ text: String, _ members: JSONObject, owner: UInt64, account: UInt64
  ) {
    look(section, account)
    look(section, ScanPosition.unknown)
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
    let note = note(section, index)
    indexes[section.number][document[section].entries[index].account]?.add(index, note, under: text)
  }

  /// Whether an entry of an account lies under a text.
  private func isTaken(_ text: String, _ section: UnifiedSection, _ account: UInt64) -> Bool {
    [account, ScanPosition.unknown].contains { indexes[section.number][$0]?.isTaken(text) == true }
  }

  /// Gives an entry other members.
  mutating func replace(_ section: UnifiedSection, _ index: Int, _ members: JSONObject) {
    document[section].store(.object(members), at: index)
    let note = note(section, index)
    indexes[section.number][document[section].entries[index].account]?.note(index, note)
  }

  /// Removes an entry.
  mutating func drop(_ section: UnifiedSection, _ index: Int) {
    let text = document.key(section, index)
    document[section].remove(at: index)
    foreignIndex?.texts[section]?.remove(text)
    guard indexes.indices.contains(section.number) else { return }
    indexes[section.number][document[section].entries[index].account]?.remove(index, under: text)
  }

  /// Notes the entries with a mark, unless that was done before.
  private mutating func look(_ section: UnifiedSection, _ mark: UInt64) {
    guard indexes[section.number][mark] == nil else { return }
    var group = UnifiedIndex.Group()
    let list = document[section]
    for index in list.indices(having: [mark], \.account)
    where list.entries[index].account == mark {
      group.add(index, note(section, index), under: document.key(section, index))
    }
    indexes[section.number][mark] = group
  }
}
