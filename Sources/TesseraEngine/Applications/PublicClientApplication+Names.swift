// SPDX-License-Identifier: MIT
// Who a silent request is for that has a name and no identifier, as programs know people that come from ADAL.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// A request with the identifier of the one person who has its name; as it is where there is no name, or no identifier.
  ///
  /// - Throws: `fixRequest` with code `ambiguous_account` for a name of several people: one is never picked.
  func identified(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentRequest {
    guard request.homeAccountID.isEmpty, let name = request.username?.nonBlank else {
      return request
    }
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = request.environment
    let found = try accountsAnswer(within: limits).accounts.filter(wanted.matches)
    guard found.count < 2 else { throw .ambiguous(found) }
    var request = request
    if let account = found.first {
      request.homeAccountID = account.homeAccountID
      request.environment = request.environment ?? account.environment
      return request
    }
    // A name that the person had when an older library signed them in.
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let legacy = try cache.snapshot(selection, within: limits).legacyAccounts.first
    if let homes = legacy?.homeAccountIDs, let home = homes.first, homes.count == 1 {
      request.homeAccountID = home
    }
    return request
  }

  /// An account as it is now: one that was listed without an identifier may have been given one since.
  func current(_ account: Account, within limits: CallLimits) throws(TesseraError) -> Account {
    guard account.homeAccountID.isEmpty, let name = account.username?.nonBlank else {
      return account
    }
    let listed = try accountsAnswer(within: limits).accounts
    if listed.contains(account) { return account }
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let homes = try cache.snapshot(selection, within: limits).legacyAccounts.first?.homeAccountIDs
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = account.environment
    let found = listed.filter { other in
      (wanted.matches(other) || homes?.contains(other.homeAccountID) == true)
        && other.mayBe(account)
    }
    return found.first.map { found.count == 1 ? $0 : account } ?? account
  }

  /// The names under which the caches of older libraries that were imported have a person; mostly none were.
  func legacyNames(
    of account: Account, within limits: CallLimits
  ) throws(TesseraError) -> Set<String> {
    guard try cache.hasImports(within: limits) else { return [] }
    var selection = SnapshotSelection()
    selection.everyAccount = true
    let (home, objectIDs) = (account.homeAccountID, account.objectIDs)
    let known = try cache.snapshot(selection, within: limits).legacyAccounts.filter { record in
      account.usernames.contains(record.name)
        || !home.isEmpty && record.items.contains { $0.isOf(home, objectIDs) == true }
    }
    return Set(known.map(\.name))
  }
}

extension Account {
  /// What tells somebody without an identifier from others with the same name; nil if nothing does.
  var legacyIdentity: String? {
    guard homeAccountID.isEmpty, let profile = tenantProfiles.first else { return nil }
    return "\(profile.localAccountID).\(profile.tenantID)".normalised
  }

  /// Whether it may be who was listed without an identifier: in the tenant of that listing nobody else.
  fileprivate func mayBe(_ listed: Account) -> Bool {
    listed.tenantProfiles.allSatisfy { before in
      tenantProfiles.allSatisfy { now in
        now.tenantID.normalised != before.tenantID.normalised
          || now.localAccountID.normalised == before.localAccountID.normalised
      }
    }
  }
}
