// SPDX-License-Identifier: MIT
// A reader for the cache of ADAL for macOS: one keyed archive with the items of all users.

import TesseraCache
import TesseraWire

/// A reader for the blob of ADAL for macOS: `{version, tokenCache: {tokens: {userId: {key: item}}}}`.
///
/// It rejects the same structures as ADAL, with the same messages. ADAL rejects the whole blob if one entry has the
/// wrong type. This reader reports the entry as damaged and continues.
package struct MacOSCacheReader {
  private var archive: KeyedArchive
  private var entry = 0
  /// The indexes of the objects that were read, because an archive can refer to one object many times.
  private var visited: Set<Int> = []

  /// Calls `emit` with each item of each user.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var reader = MacOSCacheReader(archive: try KeyedArchive(bytes))
    for user in try reader.users() { try reader.readUser(user, emit) }
  }

  /// Validates the structure of the blob, down to the dictionary of users.
  package static func check(_ bytes: [UInt8]) throws(LegacyCacheError) {
    var reader = MacOSCacheReader(archive: try KeyedArchive(bytes))
    _ = try reader.users()
  }

  private init(archive: KeyedArchive) {
    self.archive = archive
  }

  /// Returns the pairs of user name and items, after the structure around them was validated.
  private mutating func users() throws(LegacyCacheError) -> [(key: Int, value: Int)] {
    guard case .dictionary(let wrapper) = try archive.value(at: archive.root) else {
      throw damage("Root level object of cache is not a NSDictionary.")
    }
    guard let version = try member("version", of: wrapper) else {
      throw damage("Missing version number from cache.")
    }
    guard let number = try archive.value(at: version).number, number <= 1.0 else {
      throw damage("Cache is a future unsupported version.")
    }
    guard let objectIndex = try member("tokenCache", of: wrapper) else {
      throw damage("Missing token cache from data.")
    }
    guard let cache = try mutable(objectIndex) else {
      throw damage("Cache is not a mutable dictionary.")
    }
    guard let objectIndex = try member("tokens", of: cache) else { return [] }
    guard let tokens = try mutable(objectIndex) else {
      throw damage("Tokens must be a mutable dictionary.")
    }
    return tokens.pairs
  }

  private mutating func readUser(
    _ user: (key: Int, value: Int), _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    do throws(LegacyCacheError) {
      guard let userID = try archive.value(at: user.key).string else {
        throw damage("User ID key is not of the expected class type.")
      }
      guard let items = try mutable(user.value) else {
        throw damage("User ID should have mutable dictionaries in the cache.")
      }
      try expectNew(user.value)
      for pair in items.pairs {
        try emitOrReport(emit) { reader throws(LegacyCacheError) in
          try reader.token(pair, of: userID)
        }
      }
    } catch {
      try report(error, emit)
    }
  }

  private mutating func emitOrReport(
    _ emit: (LegacyEntry) -> Void,
    _ read: (inout MacOSCacheReader) throws(LegacyCacheError) -> LegacyEntry
  ) throws(LegacyCacheError) {
    guard entry < LegacyLimits.entries else { throw LegacyLimits.tooMany(entry) }
    do throws(LegacyCacheError) {
      emit(try read(&self))
      entry += 1
    } catch {
      try report(error, emit)
    }
  }

  private mutating func report(
    _ error: LegacyCacheError, _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    if archive.isExhausted || entry >= LegacyLimits.entries { throw error }
    var damage = error
    damage.entry = damage.entry ?? entry
    entry = damage.entry.map { $0 + 1 } ?? entry
    emit(.damaged(damage))
  }

  private mutating func token(
    _ pair: (key: Int, value: Int), of userID: String
  ) throws(LegacyCacheError) -> LegacyEntry {
    guard case .instance(let key) = try archive.value(at: pair.key),
      key.className == KeyedArchive.ClassName.key
    else { throw damage("Key is not of the expected class type.") }
    guard case .instance(let token) = try archive.value(at: pair.value),
      [KeyedArchive.ClassName.item, KeyedArchive.ClassName.primaryRefreshToken]
        .contains(token.className)
    else { throw damage("Token is not of the expected class type.") }
    try expectNew(pair.value)
    let entry = try archive.entry(token)
    guard case .item(var item) = entry, item.userID.isEmpty else { return entry }
    item.userID = userID.normalised
    return .item(item)
  }

  private mutating func expectNew(_ objectIndex: Int) throws(LegacyCacheError) {
    guard visited.insert(objectIndex).inserted else {
      throw LegacyCacheError("archive_repeated", "The keyed archive contains an entry twice.")
    }
  }

  private mutating func mutable(_ objectIndex: Int) throws(LegacyCacheError) -> ArchivedDictionary?
  {
    guard case .dictionary(let dictionary) = try archive.value(at: objectIndex),
      dictionary.isMutable
    else { return nil }
    return dictionary
  }

  private mutating func member(
    _ name: String, of dictionary: ArchivedDictionary
  ) throws(LegacyCacheError) -> Int? {
    for pair in dictionary.pairs where try archive.value(at: pair.key).string == name {
      return pair.value
    }
    return nil
  }

  private func damage(_ message: String) -> LegacyCacheError {
    LegacyCacheError("macos_cache_invalid", message)
  }
}
