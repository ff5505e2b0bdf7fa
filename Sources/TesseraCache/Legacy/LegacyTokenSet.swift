// SPDX-License-Identifier: MIT
// The items of one name while others are added: each is found by its place and its token, however many there are.

import TesseraWire

/// What is kept of one name's items, within bounds.
package struct LegacyTokenSet: Sendable {
  /// What became of an item.
  package enum Answer: Sendable {
    /// It is kept, before the latest one of the same place.
    case added
    /// Its token was kept already.
    case known
    /// Its token was tried in vain, or its account signed out.
    case retired
    /// The name has too many tokens, and none at the item's place that it could replace.
    case full
  }

  /// The most different tokens of one name: Entra lets a person be a guest of 500 tenants, and several programs have a
  /// token for each.
  package static let mostTokens = 4096
  /// The most bytes of all items of one name: half of what a store reads of one record.
  package static let mostBytes = 8 << 20
  /// How many tokens of one place of an older cache are kept, the latest ones.
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

  /// The items, those of one place beside each other, the latest first.
  package var items: [LegacyItem] { order.flatMap { byPlace[$0] ?? [] } }

  /// Adds an item; a token for all resources is kept once, however often it lies beside a resource.
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
      // Whose the older token turned out to be, another one of the same person is as well.
      item.homeAccountID = item.homeAccountID ?? latest.homeAccountID
      item.signedOutClients = latest.signedOutClients
    }
    // The one before stays behind it: two programs of one application may have a cache each, with a token each, and
    // taking over both again and again would exchange them for each other. Where there is no room, it makes some.
    let stays = put(item, at: place, keeping: LegacyTokenSet.mostAtOnePlace - 1)
    guard stays || !before.isEmpty && put(item, at: place, keeping: 0) else { return .full }
    fresh.insert(here)
    return .added
  }

  /// Puts an item before some of those at its place, unless that is too much.
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
  /// How many items hold a token at a place, and how many of them say whose it is.
  private struct Count {
    var all = 0
    var identified = 0
  }

  /// What lies at one place of the cache that items came from.
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

  /// A token at a place; beside which resource a token for all of them lies does not matter.
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
