// SPDX-License-Identifier: MIT
// A writer for the cache of ADAL for macOS, so that applications with ADAL find accounts that signed in elsewhere.

package import TesseraCache
import TesseraWire

/// A writer for the blob of ADAL for macOS.
package struct MacOSCacheWriter {
  private var table: ArchiveTable
  /// The index of the dictionary of users.
  private let tokens: Int
  private var users: [(key: Int, value: Int)]
  /// The positions of the users in ``users``.
  private var indices: [ExactString: Int] = [:]

  /// Returns a blob with items added.
  ///
  /// Everything else in the blob is kept.
  ///
  /// - Parameters:
  ///   - existing: The blob as last read, or `nil` or empty for none.
  ///   - items: The items to add. Each replaces the one with the same user, authority, resource and client ID.
  /// - Throws: ``LegacyCacheError`` if the blob is invalid. Such a blob must not be overwritten.
  package static func blob(
    changing existing: [UInt8]?, storing items: [LegacyItem]
  ) throws(LegacyCacheError) -> [UInt8] {
    var writer = try MacOSCacheWriter(existing ?? [])
    var order: [String] = []
    var byUser: [ExactString: [LegacyItem]] = [:]
    for item in items {
      if byUser[item.userID] == nil { order.append(item.userID) }
      byUser[item.userID, default: []].append(item)
    }
    for name in order { try writer.put(byUser[name] ?? [], of: name) }
    writer.table.setPairs(writer.users, at: writer.tokens)
    return try writer.table.bytes()
  }

  private init(_ bytes: [UInt8]) throws(LegacyCacheError) {
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
      throw LegacyCacheError("archive_repeated", "Two users in the cache refer to the same items.")
    }
  }

  /// Returns the index of the dictionary of users, adding it if it is missing.
  private static func tokens(of table: inout ArchiveTable) throws(LegacyCacheError) -> Int {
    guard let cache = table.objectIndex("tokenCache", at: table.root) else {
      throw LegacyCacheError("macos_cache_invalid", "Missing token cache from data.")
    }
    if let tokens = table.objectIndex("tokens", at: cache) { return tokens }
    let tokens = table.add([])
    let pairs = table.pairs(at: cache) ?? []
    table.setPairs(pairs + [(key: table.add("tokens"), value: tokens)], at: cache)
    return tokens
  }

  /// Adds the items of a user, replacing those with the same key.
  ///
  /// If several items have the same key, the last one counts.
  private mutating func put(_ items: [LegacyItem], of name: String) throws(LegacyCacheError) {
    var wanted: [ExactString: LegacyItem] = [:]
    var order: [String] = []
    for item in items {
      guard let service = LegacyKeyParts(item).service else { continue }
      if wanted.updateValue(item, forKey: ExactString(service)) == nil { order.append(service) }
    }
    let replaced = Set(texts: order)
    var pairs: [(key: Int, value: Int)] = []
    for pair in try self.pairs(of: name) {
      guard let service = service(at: pair.key), replaced.contains(service) else {
        pairs.append(pair)
        continue
      }
      // A duplicate key is written only once.
      guard let item = wanted.removeValue(forKey: ExactString(service)) else { continue }
      pairs.append((key: pair.key, value: table.add(item, on: .macOS)))
    }
    for item in order.compactMap({ wanted[$0] }) {
      pairs.append((key: table.add(keyOf: item), value: table.add(item, on: .macOS)))
    }
    if let index = indices[name] {
      table.setPairs(pairs, at: users[index].value)
    } else if !pairs.isEmpty {
      indices[name] = users.count
      users.append((key: table.add(name), value: table.add(pairs)))
    }
  }

  /// Returns the items of a user.
  ///
  /// - Throws: ``LegacyCacheError`` if the value is not a dictionary, so that it is not overwritten.
  private func pairs(of name: String) throws(LegacyCacheError) -> [(key: Int, value: Int)] {
    guard let index = indices[name] else { return [] }
    guard let pairs = table.pairs(at: users[index].value) else {
      throw LegacyCacheError(
        "macos_cache_invalid", "User ID should have mutable dictionaries in the cache.")
    }
    return pairs
  }

  /// Returns the service attribute of a key, built from its parts if necessary.
  private func service(at objectIndex: Int) -> String? {
    let key = table[objectIndex]
    if let service = table.text(key?["service"]) { return service }
    var parts = LegacyKeyParts()
    parts.authority = table.text(key?["authority"])
    parts.resource = table.text(key?["resource"])
    parts.clientID = table.text(key?["clientId"])
    return parts.service
  }
}

extension ArchiveTable {
  /// Returns the index of the value for a name in a dictionary.
  fileprivate func objectIndex(_ name: String, at objectIndex: Int) -> Int? {
    pairs(at: objectIndex)?.first { text(.uid($0.key)) == name }?.value
  }
}
