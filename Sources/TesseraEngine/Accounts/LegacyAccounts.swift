// SPDX-License-Identifier: MIT
// The accounts that only the caches of older libraries contain, merged with those of the unified cache.

import TesseraCache
import TesseraWire

/// The inputs for listing accounts of older libraries' caches together with those of the unified cache.
struct LegacyAccounts {
  /// The client ID of the application; `nil` for all applications.
  var clientID: String?
  /// The application's family in each cloud.
  var families = ApplicationFamilies()
  /// The sign-in states that the application recorded, by account identifier.
  var states: [ExactString: SignInState] = [:]

  /// Adds the accounts that only caches of older libraries contain, in the order of ``AccountList``.
  ///
  /// The unified cache takes precedence. An account with the same identifier is listed once. If the older cache has no
  /// identifier, the user name is compared. Signed-out accounts are not listed.
  func merged(_ known: [Account], _ snapshot: CacheSnapshot) -> [Account] {
    let legacy = snapshot.legacyAccounts
    guard !legacy.isEmpty else { return known }
    var listed = Set(known.map { AccountKey($0.homeAccountID, $0.environment) })
    let signedOut = snapshot.accounts.filter { states[$0.homeAccountID] == .signedOut }
    let others = AccountIndex(known + AccountList.merged(signedOut))
    var found: [Account] = []
    for record in legacy {
      for items in accounts(of: record) {
        guard let account = account(items) else { continue }
        if account.homeAccountID.isEmpty {
          guard !items.contains(where: others.contains) else { continue }
        } else {
          guard states[account.homeAccountID] != .signedOut,
            listed.insert(AccountKey(account.homeAccountID, account.environment)).inserted
          else { continue }
        }
        found.append(account)
      }
    }
    // Accounts without an identifier are sorted by user name.
    return (known + found).sorted { one, other in
      AccountList.precedes(one, other)
        || !AccountList.precedes(other, one) && (one.username ?? "") < (other.username ?? "")
    }
  }

  /// Groups the items of a record by user, as far as the application may use them.
  private func accounts(of record: LegacyAccountRecord) -> [[LegacyItem]] {
    var accounts: [(identity: String?, items: [LegacyItem])] = []
    var indices: [ExactString?: Int] = [:]
    for item in record.items where serves(item) {
      let identity = item.identity
      let key = identity.map { ExactString($0) }
      if let index = indices[key], accounts.indices.contains(index) {
        accounts[index].items.append(item)
      } else {
        indices[key] = accounts.count
        accounts.append((identity, [item]))
      }
    }
    // An item that has a user name but no identifier belongs to one of the identified users, if there are any.
    let known = accounts.filter { $0.identity != nil }
    return (known.isEmpty ? accounts : known).map(\.items)
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
    // Prefer the spelling of the claims if it is the name under which the cache has the account.
    let spelling = claims?.username.flatMap { $0.normalised == first.userID ? $0 : nil }
    let username = spelling ?? first.userID
    let profile = local.map {
      TenantProfile(
        tenantID: tenant, localAccountID: $0,
        isHomeTenant: home?.normalised.hasSuffix(".\(tenant.normalised)") ?? false,
        username: username)
    }
    return Account(
      homeAccountID: home ?? "", environment: AccountKey.environment(first.environment),
      username: username, name: claims?.name,
      tenantProfiles: profile.map { [$0] } ?? [], isEntra: true)
  }
}

extension Account {
  /// The known object IDs of the account by tenant ID, both normalized.
  package var objectIDs: [String: String] {
    var found: [String: String] = [:]
    for profile in tenantProfiles where profile.localAccountID != homeAccountID {
      found[profile.tenantID.normalised] = profile.localAccountID.normalised
    }
    return found
  }
}

/// An index of the accounts in the unified cache, to find the account of an item without an identifier.
private struct AccountIndex {
  private var identities: Set<ExactString> = []
  private var named: [ExactString: [Account]] = [:]

  init(_ accounts: [Account]) {
    for account in accounts {
      identities.insert(account.homeAccountID.normalised)
      for (tenant, object) in account.objectIDs { identities.insert("\(object).\(tenant)") }
      for name in Set(texts: account.usernames) { named[name, default: []].append(account) }
    }
  }

  /// Whether one of the accounts is that of an item, by the object ID in a tenant or else by the user name.
  func contains(_ item: LegacyItem) -> Bool {
    if let identity = item.identity, identities.contains(identity) { return true }
    return (named[item.userID] ?? []).contains { account in
      item.belongsTo(account.homeAccountID, account.objectIDs) ?? true
    }
  }
}
