// SPDX-License-Identifier: MIT
// The accounts of the unified cache and of ADAL's in one list, by the rules of MSAL for Apple.

import TesseraWire

/// A question for the accounts of both caches.
package struct AccountUnion: Sendable {
  /// The application that asks, and its family; nil for the accounts of all.
  package var clientID: String?
  package var familyID: String?
  /// The host that was asked for, then the others of its cloud; empty for every cloud.
  package var environments: [String] = []
  /// What the application remembers of signing in and out, by home account id.
  package var states: [String: SignInState] = [:]

  /// A question for all accounts of all clouds.
  package init() {}

  /// One entry for each person and tenant; of two that say the same, that of the unified cache.
  package func accounts(_ snapshot: CacheSnapshot, _ items: [LegacyItem]) -> [KnownAccount] {
    var found: [KnownAccount] = []
    var hidden: Set<String> = []
    let holders = holders(of: snapshot.credentials)
    for record in snapshot.accounts where isAsked(record.environment) {
      let account = placed(KnownAccount(record))
      guard isUsable(account.homeAccountID, holders) else {
        if let name = account.username?.normalised { hidden.insert(name) }
        continue
      }
      add(account, to: &found)
    }
    for item in items where isAsked(item.environment) && serves(item) {
      guard let account = KnownAccount(item).map(placed), !isHidden(account, hidden) else {
        continue
      }
      add(account, to: &found)
    }
    return found
  }

  /// One entry for each person: those with one identifier, and those whom only a name tells, by that name.
  ///
  /// Entries with an identifier come first, so that a person keeps theirs.
  package static func people(_ accounts: [KnownAccount]) -> [[KnownAccount]] {
    var groups: [[KnownAccount]] = []
    let sorted =
      accounts.filter { $0.homeAccountID != nil } + accounts.filter { $0.homeAccountID == nil }
    for account in sorted {
      let index = groups.firstIndex { group in
        guard let first = group.first else { return false }
        guard let home = account.homeAccountID, let own = first.homeAccountID else {
          return account.username != nil
            && account.username?.normalised == first.username?.normalised
        }
        return home.normalised == own.normalised
      }
      if let index { groups[index].append(account) } else { groups.append([account]) }
    }
    return groups
  }
}

extension AccountUnion {
  private func add(_ account: KnownAccount, to found: inout [KnownAccount]) {
    if !found.contains(where: account.isSame) { found.append(account) }
  }

  private func isAsked(_ environment: String) -> Bool {
    environments.isEmpty || environments.contains { $0.normalised == environment.normalised }
  }

  /// An entry under the host that was asked for, whichever of its cloud it was stored under.
  private func placed(_ account: KnownAccount) -> KnownAccount {
    guard let host = environments.first else { return account }
    var account = account
    account.environment = host
    return account
  }

  /// Who has a refresh token that the application may use.
  private func holders(of tokens: [CredentialRecord]) -> Set<String> {
    let own = tokens.filter { token in
      guard token.type == .refreshToken else { return false }
      let isOwn = token.clientID.normalised == clientID?.normalised
      return isOwn || familyID != nil && token.familyID?.normalised == familyID?.normalised
    }
    return Set(own.map(\.homeAccountID.normalised))
  }

  private func isUsable(_ homeAccountID: String?, _ holders: Set<String>) -> Bool {
    guard clientID != nil, let homeAccountID else { return true }
    return switch states[homeAccountID] {
    case .signedIn: true
    case .signedOut: false
    default: holders.contains(homeAccountID.normalised)
    }
  }

  /// Whether the application may redeem an item.
  private func serves(_ item: LegacyItem) -> Bool {
    guard let clientID else { return true }
    let names = [clientID, familyID.map(LegacyItem.clientID) ?? clientID].map(\.normalised)
    return names.contains(item.clientID.normalised)
  }

  /// Whether somebody signed out whom an older item would bring back, under an identifier or under a name.
  private func isHidden(_ account: KnownAccount, _ hidden: Set<String>) -> Bool {
    guard let home = account.homeAccountID else {
      return account.username.map { hidden.contains($0.normalised) } ?? false
    }
    return states[home] == .signedOut
  }
}
