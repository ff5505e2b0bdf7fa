// SPDX-License-Identifier: MIT
// The entries of each record in a section, indexed during a change, so that each entry is decoded at most once.

import TesseraCache
import TesseraWire

/// An index of the entries of some accounts in one section.
struct UnifiedIndex: Sendable {
  /// The entries with the same account hash.
  struct Group: Sendable {
    /// The entries of each record.
    private var entryIndices: [RecordKey: [Int]] = [:]
    /// The refresh tokens of each application.
    private var clients: [ExactString: [Int]] = [:]
    /// The number of ID tokens for each application and tenant alias.
    private var aliases: [ExactString: [ExactString: Int]] = [:]
    /// The metadata of each entry.
    private var metadata: [Int: EntryMetadata] = [:]
    /// The number of entries with each key.
    private var keyTexts: [ExactString: Int] = [:]

    /// Returns the entries of a record.
    func entryIndices(of key: RecordKey) -> [Int] { entryIndices[key] ?? [] }

    /// Returns the refresh tokens of an application.
    func entryIndices(ofClient client: String) -> [Int] { clients[client] ?? [] }

    /// Returns the tenant aliases in the ID tokens of an application.
    func aliases(ofClient client: String) -> [String] { aliases[client]?.keys.map(\.text) ?? [] }

    /// Whether a key is in use.
    func isKeyInUse(_ text: String) -> Bool { keyTexts[text, default: 0] > 0 }

    /// Adds an entry with its key.
    mutating func add(_ index: Int, _ metadata: EntryMetadata, under text: String) {
      keyTexts[text, default: 0] &+= 1
      update(index, metadata)
    }

    /// Updates the metadata of an entry; `nil` removes it.
    mutating func update(_ index: Int, _ new: EntryMetadata?) {
      guard metadata[index] != new else { return }
      if let old = metadata[index] { removeFromIndexes(index, old) }
      metadata[index] = new
      if let key = new?.key { entryIndices[key, default: []].append(index) }
      if let client = new?.client { clients[client, default: []].append(index) }
      if let alias = new?.alias {
        aliases[alias.client, default: [:]][alias.realm, default: 0] &+= 1
      }
    }

    private mutating func removeFromIndexes(_ index: Int, _ old: EntryMetadata) {
      if let key = old.key { entryIndices[key]?.removeAll { $0 == index } }
      if let client = old.client { clients[client]?.removeAll { $0 == index } }
      guard let alias = old.alias, let count = aliases[alias.client]?[alias.realm] else { return }
      aliases[alias.client]?[alias.realm] = count > 1 ? count &- 1 : nil
    }

    /// Removes an entry.
    mutating func remove(_ index: Int, under text: String) {
      keyTexts[text]? &-= 1
      update(index, nil)
    }
  }

  private var groups: [UInt64: Group] = [:]

  /// Accesses the entries with an account hash, or `nil` if they were not indexed yet.
  subscript(_ hash: UInt64) -> Group? {
    get { groups[hash] }
    _modify { yield &groups[hash] }
  }
}

extension UnifiedCache {
  /// Returns the entries of a record that is about to change.
  mutating func entriesToChange(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    let hashes = hashes(of: key, in: section)
    for hash in hashes { indexEntries(section, hash) }
    indexEntries(section, AccountHash.unknown)
    return Set(hashes + [AccountHash.unknown]).flatMap { hash in
      indexes[section.number][hash]?.entryIndices(of: key) ?? []
    }.sorted()
  }

  /// Returns the refresh tokens of an account and an application, and those that may be, in document order.
  mutating func refreshTokens(of token: CredentialRecord) -> [Int] {
    let hashes = indexedHashes(.refreshToken, of: token)
    return hashes.flatMap { hash in
      indexes[UnifiedSection.refreshToken.number][hash]?
        .entryIndices(ofClient: token.clientID.normalised) ?? []
    }.sorted()
  }

  /// Returns the tenant aliases in the ID tokens of an account and an application.
  mutating func tenantAliases(of token: CredentialRecord) -> [String] {
    let hashes = indexedHashes(.idToken, of: token)
    return hashes.flatMap { hash in
      indexes[UnifiedSection.idToken.number][hash]?
        .aliases(ofClient: token.clientID.normalised) ?? []
    }
  }

  /// Indexes the entries of an account, and returns their account hashes.
  private mutating func indexedHashes(
    _ section: UnifiedSection, of token: CredentialRecord
  ) -> Set<UInt64> {
    let hashes = Set(hashes(of: token.homeAccountID, token.environment) + [AccountHash.unknown])
    for hash in hashes { indexEntries(section, hash) }
    return hashes
  }

  /// Adds an entry under its key, or under a numbered variant if another entry uses the key.
  mutating func add(
    _ section: UnifiedSection, _ text: String, _ members: JSONObject, owner: UInt64, account: UInt64
  ) {
    indexEntries(section, account)
    indexEntries(section, AccountHash.unknown)
    var free = text
    var number = 2
    while isKeyInUse(free, section, account) {
      free = "\(text)-\(number)"
      number &+= 1
    }
    let index = document[section].count
    document[section].add(free, .object(members), owner: owner, account: account)
    indexAddedEntry(section, index, free)
  }

  /// Adds a new entry to the indexes.
  mutating func indexAddedEntry(_ section: UnifiedSection, _ index: Int, _ text: String) {
    foreignIndex?.keyTexts[section, default: []].insert(text)
    guard indexes.indices.contains(section.number) else { return }
    let metadata = metadata(section, index)
    indexes[section.number][document[section].entries[index].account]?
      .add(index, metadata, under: text)
  }

  /// Whether an entry of the account uses a key.
  private func isKeyInUse(_ text: String, _ section: UnifiedSection, _ account: UInt64) -> Bool {
    [account, AccountHash.unknown].contains {
      indexes[section.number][$0]?.isKeyInUse(text) == true
    }
  }

  /// Replaces the members of an entry.
  mutating func replace(_ section: UnifiedSection, _ index: Int, _ members: JSONObject) {
    document[section].store(.object(members), at: index)
    let metadata = metadata(section, index)
    indexes[section.number][document[section].entries[index].account]?.update(index, metadata)
  }

  /// Removes an entry.
  mutating func drop(_ section: UnifiedSection, _ index: Int) {
    let text = document.key(section, index)
    document[section].remove(at: index)
    foreignIndex?.keyTexts[section]?.remove(text)
    guard indexes.indices.contains(section.number) else { return }
    indexes[section.number][document[section].entries[index].account]?.remove(index, under: text)
  }

  /// Indexes the entries with an account hash, unless this was done before.
  private mutating func indexEntries(_ section: UnifiedSection, _ hash: UInt64) {
    guard indexes[section.number][hash] == nil else { return }
    var group = UnifiedIndex.Group()
    let list = document[section]
    for index in list.indices(having: [hash], \.account)
    where list.entries[index].account == hash {
      group.add(index, metadata(section, index), under: document.key(section, index))
    }
    indexes[section.number][hash] = group
  }
}
