// SPDX-License-Identifier: MIT
// Changes the cache of ADAL for macOS, so that a program that still has ADAL finds what another one signed in.

/// Changes the blob of ADAL for macOS.
package struct MacOSCacheWriter {
  private var table: ArchiveTable
  /// The place of the dictionary of users.
  private let tokens: Int
  private var users: [(key: Int, value: Int)]
  /// Where in ``users`` a person is.
  private var indices: [String: Int] = [:]

  /// A blob with some items put into it or taken out; whatever else is in it stays as it is.
  ///
  /// - Parameters:
  ///   - existing: the blob as it was read last; nil or empty for none.
  ///   - items: what is put; an item of the same person, authority, resource and application makes room.
  ///   - removed: what is taken out; who has no items left is no user any more.
  /// - Throws: ``LegacyDamage`` for a blob that can't be read: it is never written over.
  package static func blob(
    changing existing: [UInt8]?, putting items: [LegacyItem] = [],
    removing removed: [LegacyItem] = []
  ) throws(LegacyDamage) -> [UInt8] {
    var writer = try MacOSCacheWriter(existing ?? [])
    try writer.remove(removed)
    for item in items { writer.put(item) }
    writer.table.setPairs(writer.users, at: writer.tokens)
    return try writer.table.bytes()
  }

  private init(_ bytes: [UInt8]) throws(LegacyDamage) {
    if bytes.isEmpty {
      table = ArchiveTable()
      tokens = table.add([])
      let cache = table.add([(key: table.add("tokens"), value: tokens)])
      let version = (key: table.add("version"), value: table.add(plain: .real(1.0)))
      table.root = table.add(
        [(key: table.add("tokenCache"), value: cache), version], isMutable: false)
    } else {
      try MacOSCacheReader.check(bytes)
      table = try ArchiveTable(bytes)
      tokens = try MacOSCacheWriter.tokens(of: &table)
    }
    users = table.pairs(at: tokens) ?? []
    for (index, user) in users.enumerated() {
      if let name = table.text(.uid(user.key)) { indices[name] = indices[name] ?? index }
    }
    guard Set(users.map(\.value)).count == users.count else {
      throw LegacyDamage("archive_repeated", "Two people of the cache share their items.")
    }
  }

  /// The place of the dictionary of users; a cache without one gets one.
  private static func tokens(of table: inout ArchiveTable) throws(LegacyDamage) -> Int {
    guard let cache = table.place("tokenCache", at: table.root) else {
      throw LegacyDamage("macos_cache_invalid", "Missing token cache from data.")
    }
    if let tokens = table.place("tokens", at: cache) { return tokens }
    let tokens = table.add([])
    let pairs = table.pairs(at: cache) ?? []
    table.setPairs(pairs + [(key: table.add("tokens"), value: tokens)], at: cache)
    return tokens
  }

  private mutating func put(_ item: LegacyItem) {
    let place = table.add(item, on: .macOS)
    guard let index = indices[item.userID] else {
      let items = table.add([(key: table.add(keyOf: item), value: place)])
      indices[item.userID] = users.count
      users.append((key: table.add(item.userID), value: items))
      return
    }
    let user = users[index].value
    var pairs = table.pairs(at: user) ?? []
    let same = pairs.indices.filter { isKey(pairs[$0].key, of: item) }
    if let first = same.first {
      pairs[first].value = place
      for index in same.dropFirst().reversed() { pairs.remove(at: index) }
    } else {
      pairs.append((key: table.add(keyOf: item), value: place))
    }
    table.setPairs(pairs, at: user)
  }

  private mutating func remove(_ items: [LegacyItem]) throws(LegacyDamage) {
    var emptied: Set<Int> = []
    for item in items {
      guard let index = indices[item.userID] else { continue }
      let user = users[index].value
      let pairs = (table.pairs(at: user) ?? []).filter { !isKey($0.key, of: item) }
      table.setPairs(pairs, at: user)
      if pairs.isEmpty { emptied.insert(user) }
    }
    guard !emptied.isEmpty else { return }
    users.removeAll { emptied.contains($0.value) }
    indices = [:]
    for (index, user) in users.enumerated() {
      if let name = table.text(.uid(user.key)) { indices[name] = indices[name] ?? index }
    }
  }

  /// Whether a key is that of an item; a key without a service attribute has the parts of one.
  private func isKey(_ place: Int, of item: LegacyItem) -> Bool {
    let key = table[place]
    if let service = table.text(key?["service"]) { return service == LegacyKeyParts(item).service }
    var parts = LegacyKeyParts()
    parts.authority = table.text(key?["authority"])
    parts.resource = table.text(key?["resource"])
    parts.clientID = table.text(key?["clientId"])
    return parts.service == LegacyKeyParts(item).service
  }
}

extension ArchiveTable {
  /// The place of what a dictionary has under a name.
  fileprivate func place(_ name: String, at place: Int) -> Int? {
    pairs(at: place)?.first { text(.uid($0.key)) == name }?.value
  }
}
