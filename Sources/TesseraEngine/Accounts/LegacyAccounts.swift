// SPDX-License-Identifier: MIT
// The accounts that only an older library's cache has, behind those of the unified one.

import TesseraCache
import TesseraWire

/// What is needed to list the people of older libraries' caches beside those who have signed in since.
struct LegacyAccounts {
  /// The application that asks; nil for all of them.
  var clientID: String?
  /// The application's family in each cloud.
  var families = ApplicationFamilies()
  /// What the application remembers of signing in and out.
  var states: [String: SignInState] = [:]

  /// Accounts with those whom only older libraries have, in the order of ``AccountList``.
  ///
  /// The unified cache wins: a person who is known by identifier, or by the name where an older cache has no identifier,
  /// is listed once. Whoever signed out stays away.
  func beside(_ known: [Account], _ snapshot: CacheSnapshot) -> [Account] {
    let legacy = snapshot.legacyAccounts
    guard !legacy.isEmpty else { return known }
    var listed = Set(known.map { AccountPerson($0.homeAccountID, $0.environment) })
    let signedOut = snapshot.accounts.filter { states[$0.homeAccountID] == .signedOut }
    let others = OtherPeople(known + AccountList.merged(signedOut))
    var found: [Account] = []
    for record in legacy {
      for items in people(of: record) {
        guard let account = account(items) else { continue }
        if account.homeAccountID.isEmpty {
          guard !items.contains(where: others.have) else { continue }
        } else {
          guard states[account.homeAccountID] != .signedOut,
            listed.insert(AccountPerson(account.homeAccountID, account.environment)).inserted
          else { continue }
        }
        found.append(account)
      }
    }
    // Those without an identifier by name.
    return (known + found).sorted { one, other in
      AccountList.precedes(one, other)
        || !AccountList.precedes(other, one) && (one.username ?? "") < (other.username ?? "")
    }
  }

  /// The items of each person who has a name, as far as the application may use them.
  private func people(of record: LegacyAccountRecord) -> [[LegacyItem]] {
    var people: [(identity: String?, items: [LegacyItem])] = []
    var places: [String?: Int] = [:]
    for item in record.items where serves(item) {
      let identity = item.identity
      if let place = places[identity], people.indices.contains(place) {
        people[place].items.append(item)
      } else {
        places[identity] = people.count
        people.append((identity, [item]))
      }
    }
    // Of whom nothing but the name is known is one of those of whom more is, if there is only one.
    let known = people.filter { $0.identity != nil }
    return (known.isEmpty ? people : known).map(\.items)
  }

  private func serves(_ item: LegacyItem) -> Bool {
    guard let clientID else { return true }
    if item.signedOutClients.contains(clientID.normalised) { return false }
    if item.clientID.normalised == clientID.normalised { return true }
    guard let family = families.family(in: item.environment)?.normalised else { return false }
    return item.clientID.normalised == LegacyItem.clientID(ofFamily: family)
      || item.familyID?.normalised == family
  }

  private func account(_ items: [LegacyItem]) -> Account? {
    guard let first = items.first else { return nil }
    let claims = items.lazy.compactMap(\.claims).first
    let tenant = claims?.tenantID ?? first.realm
    let home = items.lazy.compactMap(\.homeAccountID).first
    let local = claims?.objectID ?? claims?.subject
    // As the person spells it, where that is the name by which the cache has them.
    let spelled = claims?.username.flatMap { $0.normalised == first.userID ? $0 : nil }
    let username = spelled ?? first.userID
    let profile = local.map {
      TenantProfile(
        tenantID: tenant, localAccountID: $0,
        isHomeTenant: home?.normalised.hasSuffix(".\(tenant.normalised)") ?? false,
        username: username)
    }
    return Account(
      homeAccountID: home ?? "", environment: AccountPerson.environment(first.environment),
      username: username, name: claims?.name,
      tenantProfiles: profile.map { [$0] } ?? [], isEntra: true)
  }
}

extension Account {
  /// The person's object ids by their tenants, normalised, as far as they are known.
  var objectIDs: [String: String] {
    var found: [String: String] = [:]
    for profile in tenantProfiles where profile.localAccountID != homeAccountID {
      found[profile.tenantID.normalised] = profile.localAccountID.normalised
    }
    return found
  }
}

/// Those of the unified cache, as a person without an identifier is looked for among them.
private struct OtherPeople {
  private var identities: Set<String> = []
  private var named: [String: [Account]] = [:]

  init(_ accounts: [Account]) {
    for account in accounts {
      identities.insert(account.homeAccountID.normalised)
      for (tenant, object) in account.objectIDs { identities.insert("\(object).\(tenant)") }
      for name in Set(account.usernames) { named[name, default: []].append(account) }
    }
  }

  /// Whether one is the person of an item: by the object id in a tenant, else by the name.
  func have(_ item: LegacyItem) -> Bool {
    if let identity = item.identity, identities.contains(identity) { return true }
    return (named[item.userID] ?? []).contains { account in
      item.isOf(account.homeAccountID, account.objectIDs) ?? true
    }
  }
}
