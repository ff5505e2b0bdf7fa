// SPDX-License-Identifier: MIT
// Which items of ADAL's cache are somebody's: never those of a person who was not named.

import TesseraWire

/// A search for a person's items in ADAL's cache.
package struct LegacySearch: Sendable {
  /// What came of a search for a refresh token.
  package enum Outcome: Sendable, Equatable {
    case found(LegacyItem)
    case nothing
    /// Nobody was named, and the items are of several people: their names.
    case severalPeople([String])
  }

  /// What the person signs in with.
  package var username: String?
  package var homeAccountID: String?
  /// The application; nil for every one, and where a family is given.
  package var clientID: String?
  package var familyID: String?
  /// The hosts of the cloud, best first; empty for every cloud.
  package var environments: [String] = []
  /// The tenant of the authority; nil for every tenant.
  package var realm: String?

  /// A search for everything.
  package init() {}

  /// The refresh token that may be redeemed in the person's name.
  ///
  /// MSAL for Apple hands out the only token there is, whoever it belongs to, if nobody was named by a username. Here it
  /// takes a name or an identifier that fits.
  package func refreshToken(in items: [LegacyItem]) -> Outcome {
    let tokens = items.filter { $0.kind == .refreshToken && isOfClient($0) }
    guard username?.nonBlank != nil || homeAccountID?.nonBlank != nil else {
      let people = Set(tokens.map(\.userID)).sorted()
      return people.count > 1 ? .severalPeople(people) : .nothing
    }
    for place in places {
      let found = tokens.first { isOfPerson($0) && place.holds($0) }
      if let found { return .found(found) }
    }
    return .nothing
  }

  /// What may be redeemed in the person's name, best first: the application's, its family's, what was for one resource.
  ///
  /// MSAL for Apple looks in the tenant and in `common` only, and takes no token that was for one resource: people would
  /// be asked to sign in although a token of theirs is there. Here those come last.
  package func candidates(in items: [LegacyItem]) -> [LegacyItem] {
    let hosts = Set(environments.map(\.normalised))
    let own = items.filter { isOfPerson($0) && (hosts.isEmpty || hosts.contains($0.environment)) }
    let places = places
    func rank(_ item: LegacyItem) -> Int? {
      let isOwn = item.clientID.normalised == clientID?.normalised
      let place = places.firstIndex { $0.holds(item) } ?? places.count
      return switch item.kind {
      case .refreshToken where isOwn: place
      case .refreshToken where isOfFamily(item): 1000 + place
      case .singleResource where isOwn: 2000 + place
      default: nil
      }
    }
    let ranked = own.compactMap { item in rank(item).map { (rank: $0, item: item) } }
    var seen: Set<Secret> = []
    return ranked.sorted { $0.rank < $1.rank }.map(\.item).filter { item in
      item.refreshToken.map { seen.insert($0).inserted } ?? false
    }
  }

  private func isOfFamily(_ item: LegacyItem) -> Bool {
    guard let familyID else { return false }
    return item.clientID.normalised == LegacyItem.clientID(ofFamily: familyID)
      || item.familyID?.normalised == familyID.normalised
  }

  /// The items that go when the person signs out of the application, or of all of them; a family's stays with the family.
  ///
  /// MSAL for Apple takes every person's if the account has no username; here a person must be named.
  package func removed(from items: [LegacyItem]) -> [LegacyItem] {
    items.filter { item in
      guard isOfPerson(item), clientID == nil || isOfClient(item) else { return false }
      return places.contains { $0.holds(item) }
    }
  }
}

extension LegacySearch {
  /// Where a token may lie, in the order in which ADAL and MSAL look: the tenant, then `common`; in each every host.
  private var places: [Place] {
    let hosts: [String?] = environments.isEmpty ? [nil] : environments.map(\.normalised)
    guard let realm = realm?.normalised else { return hosts.map { Place(host: $0, realm: nil) } }
    let realms =
      switch realm {
      case "common", "organizations": ["common"]
      case "consumers": [String]()
      default: [realm, "common"]
      }
    return realms.flatMap { realm in hosts.map { Place(host: $0, realm: realm) } }
  }

  private struct Place {
    let host: String?
    let realm: String?

    func holds(_ item: LegacyItem) -> Bool {
      (host == nil || host == item.environment) && (realm == nil || realm == item.realm)
    }
  }

  private func isOfClient(_ item: LegacyItem) -> Bool {
    let wanted = familyID.map(LegacyItem.clientID) ?? clientID
    return wanted == nil || wanted?.normalised == item.clientID.normalised
  }

  /// Whether an item is the person's: its identifier says so, or its name and no other identifier.
  private func isOfPerson(_ item: LegacyItem) -> Bool {
    if let home = homeAccountID?.nonBlank?.normalised {
      if let own = item.homeAccountID?.nonBlank { return own.normalised == home }
      if item.homeIdentity == home { return true }
    }
    guard let username = username?.nonBlank?.normalised else { return false }
    return item.userID == username
  }
}

extension LegacyItem {
  /// The home account id, if the ID token is of the home tenant.
  fileprivate var homeIdentity: String? {
    guard let object = claims?.objectID, let tenant = claims?.tenantID else { return nil }
    return "\(object).\(tenant)".normalised
  }
}
