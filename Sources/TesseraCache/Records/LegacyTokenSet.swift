// SPDX-License-Identifier: MIT
// The imported items of one user name, indexed for adding more of them.

import TesseraWire

/// The imported items of one user name, with size limits.
package struct LegacyTokenSet: Sendable {
  /// The result of adding an item.
  package enum AddResult: Sendable {
    /// The item was added in front of the others with the same key.
    case added
    /// The token is already stored.
    case known
    /// The token was rejected before, or its account signed out.
    case retired
    /// A limit is reached, and there is no item with the same key to replace.
    case full
  }

  /// The maximum number of distinct tokens per user name.
  ///
  /// Microsoft Entra ID allows a user to be a guest of 500 tenants, and several applications may have a token for each.
  package static let maximumTokenCount = 4096
  /// The maximum size of all items of a user name, in bytes.
  ///
  /// It is half of the size limit of a stored record.
  package static let maximumByteCount = 8 << 20
  /// The maximum number of tokens with the same key in an older cache, latest first.
  private static let maximumTokensPerKey = 2

  private var order: [ItemKey] = []
  private var byKey: [ItemKey: [LegacyItem]] = [:]
  private var tokens: [Secret: Int] = [:]
  private var countsByToken: [KeyedToken: Count] = [:]
  private var bytes = 0
  private var newTokens: Set<KeyedToken> = []
  private let retired: Set<String>

  init(_ items: [LegacyItem], retired: Set<String>) {
    self.retired = retired
    for item in items {
      let key = ItemKey(item)
      if byKey[key] == nil { order.append(key) }
      byKey[key, default: []].append(item)
      count(item, 1)
    }
  }

  /// The items, grouped by key, latest first.
  package var items: [LegacyItem] { order.flatMap { byKey[$0] ?? [] } }

  /// Adds an item.
  ///
  /// A multi-resource token is stored once, even if the cache lists it with several resources.
  package mutating func add(_ new: LegacyItem) -> AddResult {
    guard let token = new.refreshToken, !retired.contains(LegacyAccountRecord.tokenHash(token))
    else {
      return .retired
    }
    let keyedToken = KeyedToken(new, token)
    if let known = countsByToken[keyedToken], known.identified > 0 || new.identity == nil {
      return newTokens.contains(keyedToken) ? .added : .known
    }
    let key = ItemKey(new)
    let before = byKey[key] ?? []
    if before.contains(where: { $0.refreshToken == token }) {
      return newTokens.contains(keyedToken) ? .added : .known
    }
    var item = new
    if let latest = before.first {
      // The new token belongs to the same account as the older one.
      item.homeAccountID = item.homeAccountID ?? latest.homeAccountID
      item.signedOutClients = latest.signedOutClients
    }
    // Keep the previous item behind the new one. Two installations of an application may have separate caches with
    // different tokens, and repeated imports would otherwise alternate between them. At a limit, drop the previous
    // item.
    let stays = put(item, at: key, keeping: LegacyTokenSet.maximumTokensPerKey - 1)
    guard stays || !before.isEmpty && put(item, at: key, keeping: 0) else { return .full }
    newTokens.insert(keyedToken)
    return .added
  }

  /// Inserts an item in front of those with the same key, of which at most `maximumCount` are kept.
  ///
  /// Returns `false` if that exceeds a limit.
  private mutating func put(_ item: LegacyItem, at key: ItemKey, keeping maximumCount: Int) -> Bool
  {
    let before = byKey[key] ?? []
    count(item, 1)
    for old in before.dropFirst(maximumCount) { count(old, -1) }
    guard tokens.count <= LegacyTokenSet.maximumTokenCount, bytes <= LegacyTokenSet.maximumByteCount
    else {
      count(item, -1)
      for old in before.dropFirst(maximumCount) { count(old, 1) }
      return false
    }
    if byKey[key] == nil { order.append(key) }
    byKey[key] = [item] + before.prefix(maximumCount)
    return true
  }

  private mutating func count(_ item: LegacyItem, _ sign: Int) {
    guard let token = item.refreshToken else { return }
    bytes += sign * JSONValue.object(item.members).bytes.count
    let uses = tokens[token, default: 0] + sign
    tokens[token] = uses > 0 ? uses : nil
    let keyedToken = KeyedToken(item, token)
    var count = countsByToken[keyedToken] ?? Count()
    count.all += sign
    if item.identity != nil { count.identified += sign }
    countsByToken[keyedToken] = count.all > 0 ? count : nil
  }
}

extension LegacyTokenSet {
  /// The number of items with a token and key, and the number of those with an identity.
  private struct Count {
    var all = 0
    var identified = 0
  }

  /// The key of an item in the cache that it was imported from.
  private struct ItemKey: Hashable {
    let environment: String
    let realm: String
    let clientID: String
    var resource: String?
    let objectID: String?

    init(_ item: LegacyItem) {
      environment = item.environment
      realm = item.realm
      clientID = item.clientID.normalised
      resource = item.resource?.normalised
      objectID = item.claims?.objectID?.normalised
    }
  }

  /// A token and its key.
  ///
  /// For a multi-resource token, the resource is ignored.
  private struct KeyedToken: Hashable {
    var key: ItemKey
    let token: Secret

    init(_ item: LegacyItem, _ token: Secret) {
      key = ItemKey(item)
      if item.kind != .singleResource { key.resource = nil }
      self.token = token
    }
  }
}
