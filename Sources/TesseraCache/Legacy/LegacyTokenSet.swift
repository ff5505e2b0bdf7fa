// SPDX-License-Identifier: MIT
// The imported items of one user name, indexed for adding more of them.

import TesseraWire

/// The imported items of one user name, with size limits.
package struct LegacyTokenSet: Sendable {
  /// The result of adding an item.
  package enum Answer: Sendable {
    /// The item was added before the latest one with the same key.
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
  package static let mostTokens = 4096
  /// The maximum size of all items of a user name, in bytes.
  ///
  /// It is half of the size limit of a stored record.
  package static let mostBytes = 8 << 20
  /// The maximum number of tokens with the same key in an older cache, latest first.
  private static let mostAtOnePlace = 2

  private var order: [Place] = []
  private var byPlace: [Place: [LegacyItem]] = [:]
  private var tokens: [Secret: Int] = [:]
  private var held: [Held: Count] = [:]
  private var bytes = 0
  private var fresh: Set<Held> = []
  private let retired: Set<String>

  init(_ items: [LegacyItem], retired: Set<String>) {
    self.retired = retired
    for item in items {
      let place = Place(item)
      if byPlace[place] == nil { order.append(place) }
      byPlace[place, default: []].append(item)
      count(item, 1)
    }
  }

  /// The items, grouped by key, latest first.
  package var items: [LegacyItem] { order.flatMap { byPlace[$0] ?? [] } }

  /// Adds an item.
  ///
  /// A multi-resource token is stored once, even if the cache lists it with several resources.
  package mutating func add(_ new: LegacyItem) -> Answer {
    guard let token = new.refreshToken, !retired.contains(LegacyAccountRecord.mark(token)) else {
      return .retired
    }
    let here = Held(new, token)
    if let known = held[here], known.identified > 0 || new.identity == nil {
      return fresh.contains(here) ? .added : .known
    }
    let place = Place(new)
    let before = byPlace[place] ?? []
    if before.contains(where: { $0.refreshToken == token }) {
      return fresh.contains(here) ? .added : .known
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
    let stays = put(item, at: place, keeping: LegacyTokenSet.mostAtOnePlace - 1)
    guard stays || !before.isEmpty && put(item, at: place, keeping: 0) else { return .full }
    fresh.insert(here)
    return .added
  }

  /// Inserts an item before at most `most` of those with its key.
  ///
  /// Returns `false` if that exceeds a limit.
  private mutating func put(_ item: LegacyItem, at place: Place, keeping most: Int) -> Bool {
    let before = byPlace[place] ?? []
    count(item, 1)
    for old in before.dropFirst(most) { count(old, -1) }
    guard tokens.count <= LegacyTokenSet.mostTokens, bytes <= LegacyTokenSet.mostBytes else {
      count(item, -1)
      for old in before.dropFirst(most) { count(old, 1) }
      return false
    }
    if byPlace[place] == nil { order.append(place) }
    byPlace[place] = [item] + before.prefix(most)
    return true
  }

  private mutating func count(_ item: LegacyItem, _ sign: Int) {
    guard let token = item.refreshToken else { return }
    bytes += sign * JSONValue.object(item.members).bytes.count
    let uses = tokens[token, default: 0] + sign
    tokens[token] = uses > 0 ? uses : nil
    let here = Held(item, token)
    var count = held[here] ?? Count()
    count.all += sign
    if item.identity != nil { count.identified += sign }
    held[here] = count.all > 0 ? count : nil
  }
}

extension LegacyTokenSet {
  /// The number of items with a token and key, and the number of those with an identity.
  private struct Count {
    var all = 0
    var identified = 0
  }

  /// The key of an item in the cache that it was imported from.
  private struct Place: Hashable {
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
  private struct Held: Hashable {
    var place: Place
    let token: Secret

    init(_ item: LegacyItem, _ token: Secret) {
      place = Place(item)
      if item.kind != .singleResource { place.resource = nil }
      self.token = token
    }
  }
}
