// SPDX-License-Identifier: MIT
// Accounts by user name, including those of older libraries.

import TesseraCache
import TesseraWire

extension AccountDirectory {
  /// Adds the account identifier to a request that has only a user name, or no account.
  ///
  /// Without an account, the request is for the only one. Returns other requests unchanged.
  ///
  /// - Throws: `fixRequest` with code `ambiguous_account` if several accounts match. None of them is selected
  ///   automatically. `signIn` with code `account_not_found` if a request without an account finds none.
  func identified(_ request: SilentRequest) throws(TesseraError) -> SilentRequest {
    guard request.homeAccountID.isEmpty, !request.isForApplication else { return request }
    guard let name = request.username?.nonBlank else {
      return try ofOnlyAccount(request)
    }
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = request.environment
    let found = try list().accounts.filter(wanted.matches)
    guard found.count < 2 else { throw .ambiguous(found) }
    var request = request
    if let account = found.first {
      request.homeAccountID = account.homeAccountID
      request.environment = request.environment ?? account.environment
      return request
    }
    // The user may have had this name when an older library signed them in.
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let legacy = try context.cache.snapshot(selection, within: limits).legacyAccounts.first
    if let homes = legacy?.homeAccountIDs, let home = homes.first, homes.count == 1 {
      request.homeAccountID = home.text
    }
    return request
  }

  /// Adds the only account to a request without one.
  private func ofOnlyAccount(_ request: SilentRequest) throws(TesseraError) -> SilentRequest {
    var wanted = AccountsRequest()
    wanted.environment = request.environment?.nonBlank
    let found = try list().accounts.filter(wanted.matches)
    guard let account = found.first else { throw .noAccount() }
    guard found.count == 1 else { throw .ambiguous(found) }
    var request = request
    request.homeAccountID = account.homeAccountID
    request.environment = account.environment
    if account.homeAccountID.isEmpty { request.username = account.username }
    return request
  }

  /// Returns the current version of a listed account, which may have received an identifier since it was listed.
  func current(_ account: Account) throws(TesseraError) -> Account {
    guard account.homeAccountID.isEmpty, let name = account.username?.nonBlank else {
      return account
    }
    let listed = try list().accounts
    if listed.contains(account) { return account }
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let homes = try context.cache.snapshot(selection, within: limits).legacyAccounts.first?
      .homeAccountIDs
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = account.environment
    let found = listed.filter { other in
      (wanted.matches(other) || homes?.contains(other.homeAccountID) == true)
        && other.canBeSameAccount(account)
    }
    return found.first.map { found.count == 1 ? $0 : account } ?? account
  }

  /// Returns the names under which imported caches of older libraries have the account.
  ///
  /// Usually there are none.
  func legacyNames(of account: Account) throws(TesseraError) -> Set<ExactString> {
    guard try context.cache.hasImports(within: limits) else { return [] }
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let (home, objectIDs) = (account.homeAccountID, account.objectIDs)
    let known = try context.cache.snapshot(selection, within: limits).legacyAccounts.filter {
      record in
      account.usernames.contains(record.name)
        || !home.isEmpty
          && (record.items + record.superseded).contains { $0.belongsTo(home, objectIDs) == true }
    }
    return Set(texts: known.map(\.name))
  }
}

extension TesseraError {
  /// Returns the error for a request without an account if none is signed in.
  static func noAccount() -> TesseraError {
    TesseraError(.signIn, .accountNotFound, "No account is signed in to this application: sign in.")
  }
}

extension Account {
  /// Whether the account may be one that was listed without an identifier.
  ///
  /// It is not if both have different object IDs in the same tenant.
  fileprivate func canBeSameAccount(_ listed: Account) -> Bool {
    listed.tenantProfiles.allSatisfy { before in
      tenantProfiles.allSatisfy { now in
        now.tenantID.normalised != before.tenantID.normalised
          || now.localAccountID.normalised == before.localAccountID.normalised
      }
    }
  }
}
