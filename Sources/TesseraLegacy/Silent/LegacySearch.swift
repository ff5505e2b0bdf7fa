// SPDX-License-Identifier: MIT
// The search for a user's items in ADAL caches. Items of other users are never returned.

import TesseraCache
import TesseraWire

/// A search for the refresh tokens of a user in ADAL caches.
struct LegacySearch: Sendable {
  /// The user name.
  var username: String?
  var homeAccountID: String?
  /// The known object IDs of the user, by tenant, normalised.
  var objectIDs: [String: String] = [:]
  /// The client ID of the application.
  var clientID: String
  /// The family of the application, or `nil` for none.
  var familyID: String?
  /// The hosts of the cloud in order of preference, or an empty array for all clouds.
  var environments: [String] = []
  /// The tenant of the authority, or `nil` for all tenants.
  var realm: String?

  /// Creates a search for an application.
  ///
  /// Set ``username`` or ``homeAccountID`` before you use it.
  init(clientID: String) { self.clientID = clientID }

  /// Returns the items that may be redeemed for the user, best first.
  ///
  /// The order is the application's tokens, those of its family, then its single-resource tokens. MSAL for Apple
  /// searches only the tenant and `common`, and ignores single-resource tokens, so that users must sign in despite an
  /// existing token. Without a user name, MSAL also returns the only token in the cache, regardless of its account.
  /// Here the user name or the home account ID must match.
  func candidates(in items: [LegacyItem]) -> [LegacyItem] {
    let hosts = Set(environments.map(\.normalised))
    let own = items.filter { item in
      belongsToUser(item) && (hosts.isEmpty || hosts.contains(item.environment))
        && !item.signedOutClients.contains(clientID.normalised)
    }
    let positions = positions
    func rank(_ item: LegacyItem) -> Int? {
      let isOwn = item.clientID.normalised == clientID.normalised
      let position = positions.firstIndex { $0.matches(item) } ?? positions.count
      return switch item.kind {
      case .refreshToken where isOwn: position
      case .refreshToken where isOfFamily(item): 1000 + position
      case .singleResource where isOwn: 2000 + position
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
  /// The positions to search, in the order of ADAL and MSAL: the tenant, then `common`, each with every host.
  private var positions: [SearchPosition] {
    let hosts: [String?] = environments.isEmpty ? [nil] : environments.map(\.normalised)
    guard let realm = realm?.normalised else {
      return hosts.map { SearchPosition(host: $0, realm: nil) }
    }
    let realms =
      switch realm {
      case "common", "organizations": ["common"]
      case "consumers": [String]()
      default: [realm, "common"]
      }
    return realms.flatMap { realm in hosts.map { SearchPosition(host: $0, realm: realm) } }
  }

  private struct SearchPosition {
    let host: String?
    let realm: String?

    func matches(_ item: LegacyItem) -> Bool {
      (host == nil || host == item.environment) && (realm == nil || realm == item.realm)
    }
  }

  private func isOfFamily(_ item: LegacyItem) -> Bool {
    guard let familyID else { return false }
    return item.clientID.normalised == LegacyItem.clientID(ofFamily: familyID)
      || item.familyID?.normalised == familyID.normalised
  }

  /// Returns whether an item belongs to the user, by its identity or else by its user name.
  private func belongsToUser(_ item: LegacyItem) -> Bool {
    if let home = homeAccountID?.nonBlank, let belongsToUser = item.belongsTo(home, objectIDs) {
      return belongsToUser
    }
    guard let username = username?.nonBlank?.normalised else { return false }
    return item.userID == username
  }
}
