// SPDX-License-Identifier: MIT
// Which items of ADAL's cache are somebody's: never those of a person who was not named.

import TesseraWire

/// A search for a person's refresh tokens in ADAL's cache.
package struct LegacySearch: Sendable {
  /// What the person signs in with.
  package var username: String?
  package var homeAccountID: String?
  /// The person's object ids by their tenants, normalised, as far as they are known.
  package var objectIDs: [String: String] = [:]
  /// The application.
  package var clientID: String
  /// Its family; nil for none.
  package var familyID: String?
  /// The hosts of the cloud, best first; empty for every cloud.
  package var environments: [String] = []
  /// The tenant of the authority; nil for every tenant.
  package var realm: String?

  /// A search for an application, for nobody yet.
  package init(clientID: String) { self.clientID = clientID }

  /// What may be redeemed in the person's name, best first: the application's, its family's, what was for one resource.
  ///
  /// MSAL for Apple looks in the tenant and in `common` only, and takes no token that was for one resource: people would
  /// be asked to sign in although a token of theirs is there. Here those come last. It also hands out the only token there
  /// is, whoever it belongs to, if nobody was named by a username; here a name or an identifier must fit.
  package func candidates(in items: [LegacyItem]) -> [LegacyItem] {
    let hosts = Set(environments.map(\.normalised))
    let own = items.filter { item in
      isOfPerson(item) && (hosts.isEmpty || hosts.contains(item.environment))
        && !item.signedOutClients.contains(clientID.normalised)
    }
    let places = places
    func rank(_ item: LegacyItem) -> Int? {
      let isOwn = item.clientID.normalised == clientID.normalised
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

  private func isOfFamily(_ item: LegacyItem) -> Bool {
    guard let familyID else { return false }
    return item.clientID.normalised == LegacyItem.clientID(ofFamily: familyID)
      || item.familyID?.normalised == familyID.normalised
  }

  /// Whether an item is the person's: its identifier says so, or its name, and nothing that it has says otherwise.
  private func isOfPerson(_ item: LegacyItem) -> Bool {
    if let home = homeAccountID?.nonBlank, let isOfPerson = item.isOf(home, objectIDs) {
      return isOfPerson
    }
    guard let username = username?.nonBlank?.normalised else { return false }
    return item.userID == username
  }
}
