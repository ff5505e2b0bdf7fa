// SPDX-License-Identifier: MIT
// The entries of each record in a section, indexed during a change, so that each entry is decoded at most once.

import TesseraWire

/// An index of the entries of some accounts in one section.
struct UnifiedIndex: Sendable {
  /// The entries with the same account hash.
  struct Group: Sendable {
    /// The entries of each record.
    private var places: [RecordKey: [Int]] = [:]
    /// The refresh tokens of each application.
    private var clients: [String: [Int]] = [:]
    /// The number of ID tokens for each application and tenant alias.
    private var words: [String: [String: Int]] = [:]
    /// The metadata of each entry.
    private var notes: [Int: EntryMetadata] = [:]
    /// The number of entries with each key.
    private var texts: [String: Int] = [:]

    /// Returns the entries of a record.
    func places(of key: RecordKey) -> [Int] { places[key] ?? [] }

    /// Returns the refresh tokens of an application.
    func places(ofClient client: String) -> [Int] { clients[client] ?? [] }

    /// Returns the tenant aliases in the ID tokens of an application.
    func words(ofClient client: String) -> [String] { words[client].map { Array($0.keys) } ?? [] }

    /// Whether a key is in use.
    func isTaken(_ text: String) -> Bool { texts[text, default: 0] > 0 }

    /// Adds an entry with its key.
    mutating func add(_ index: Int, _ note: EntryMetadata, under text: String) {
      texts[text, default: 0] &+= 1
      self.note(index, note)
    }

    /// Updates the metadata of an entry; `nil` removes it.
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

    /// Removes an entry.
    mutating func remove(_ index: Int, under text: String) {
      texts[text]? &-= 1
      note(index, nil)
    }
  }

  private var groups: [UInt64: Group] = [:]

  /// Accesses the entries with an account hash, or `nil` if they were not indexed yet.
  subscript(_ mark: UInt64) -> Group? {
    get { groups[mark] }
    _modify { yield &groups[mark] }
  }
}

extension UnifiedCache {
  /// Returns the entries of a record that is about to change.
  mutating func placesToChange(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    let marks = marks(of: key, in: section)
    for mark in marks { look(section, mark) }
    look(section, AccountHash.unknown)
    return Set(marks + [AccountHash.unknown]).flatMap { mark in
      indexes[section.number][mark]?.places(of: key) ?? []
    }.sorted()
  }

  /// Returns the refresh tokens of an account and an application, and those that may be, in document order.
  mutating func refreshTokens(of token: CredentialRecord) -> [Int] {
    let marks = lookedAt(.refreshToken, of: token)
    return marks.flatMap { mark in
      indexes[UnifiedSection.refreshToken.number][mark]?
        .places(ofClient: token.clientID.normalised) ?? []
    }.sorted()
  }

  /// Returns the tenant aliases in the ID tokens of an account and an application.
  mutating func tenantWords(of token: CredentialRecord) -> [String] {
    let marks = lookedAt(.idToken, of: token)
    return marks.flatMap { mark in
      indexes[UnifiedSection.idToken.number][mark]?
        .words(ofClient: token.clientID.normalised) ?? []
    }
  }

  /// Indexes the entries of an account, and returns their account hashes.
  private mutating func lookedAt(
    _ section: UnifiedSection, of token: CredentialRecord
  ) -> Set<UInt64> {
    let marks = Set(marks(of: token.homeAccountID, token.environment) + [AccountHash.unknown])
    for mark in marks { look(section, mark) }
    return marks
  }

  /// Adds an entry under its key, or under a numbered variant if another entry uses the key.
  mutating func add(
    _ section: UnifiedSection, _ text: String, _ members: JSONObject, owner: UInt64, account: UInt64
  ) {
    look(section, account)
    look(section, AccountHash.unknown)
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

  /// Adds a new entry to the indexes.
  mutating func noteAdded(_ section: UnifiedSection, _ index: Int, _ text: String) {
    foreignIndex?.texts[section, default: []].insert(text)
    guard indexes.indices.contains(section.number) else { return }
    let note = note(section, index)
    indexes[section.number][document[section].entries[index].account]?.add(index, note, under: text)
  }

  /// Whether an entry of the account uses a key.
  private func isTaken(_ text: String, _ section: UnifiedSection, _ account: UInt64) -> Bool {
    [account, AccountHash.unknown].contains { indexes[section.number][$0]?.isTaken(text) == true }
  }

  /// Replaces the members of an entry.
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

  /// Indexes the entries with an account hash, unless this was done before.
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
