// SPDX-License-Identifier: MIT
// The accounts of the application in the store, read within the limits of a call.

import TesseraCache
import TesseraWire

/// The accounts of the application in the store, read within the limits of a call.
struct AccountDirectory {
  let context: FlowContext
  let limits: CallLimits

  /// Creates the directory of a call.
  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Returns the accounts, with the state needed to list them incrementally.
  ///
  /// Caches the list.
  func list() throws(TesseraError) -> CachedAccountList {
    if let list = context.results.accounts { return list }
    var known = context.results.previousAccountList
    var snapshot = try self.snapshot(since: known?.list)
    if !snapshot.legacyAccounts.isEmpty {
      // A sign-in hides legacy accounts of any range. Therefore the whole list is read.
      if snapshot.ranges != nil { snapshot = try self.snapshot(since: nil) }
      known = nil
      snapshot.list = nil
    }
    let accounts = AccountList.usable(by: context.configuration.clientID, snapshot)
    let list = CachedAccountList(accounts, snapshot, after: known)
    context.results.store(list)
    return list
  }

  /// Returns the accounts that match a request.
  func accounts(_ request: AccountsRequest) throws(TesseraError) -> [Account] {
    try request.check()
    let all =
      request.signedInOnly
      ? try list().accounts
      : AccountList.all(try snapshot(since: nil))
    let found = all.filter(request.matches)
    guard request.includesClaims, !found.isEmpty else { return found }
    var selection = SnapshotSelection()
    if let only = found.first, found.count == 1 {
      selection.owner = only.homeAccountID
    } else {
      selection.allAccounts = true
    }
    let snapshot = try context.cache.snapshot(selection, within: limits)
    return AccountList.withClaims(found, of: context.configuration.clientID, snapshot)
  }

  /// Returns the one account that matches a request.
  func account(_ request: AccountsRequest) throws(TesseraError) -> Account {
    try onlyAccount(of: accounts(request))
  }

  /// Returns the only one of some accounts.
  func onlyAccount(of found: [Account]) throws(TesseraError) -> Account {
    if let account = found.first, found.count == 1 { return account }
    guard !found.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound,
        "The store does not contain the account for this application: sign in.")
    }
    throw .ambiguous(found)
  }

  private func snapshot(since list: AccountListVersion?) throws(TesseraError) -> CacheSnapshot {
    let cloud = try context.authority(named: nil).cloud
    var selection = SnapshotSelection()
    selection.since = list
    selection.allAccounts = true
    selection.clientID = context.configuration.clientID
    selection.keys = familyKeys(cloud)
    let snapshot = try context.cache.snapshot(selection, within: limits)
    let others = AccountList.otherClouds(in: snapshot, own: cloud)
    guard !others.isEmpty else { return snapshot }
    selection.keys += others.flatMap(familyKeys)
    return try context.cache.snapshot(selection, within: limits)
  }

  /// Returns the keys of the app metadata records that hold the application's family ID in a cloud, one for each alias.
  private func familyKeys(_ cloud: CloudInstance?) -> [RecordKey] {
    Set((cloud?.aliases ?? []) + (cloud.map { [$0.preferredCache] } ?? [])).map {
      AppMetadataRecord(clientID: context.configuration.clientID, environment: $0, familyID: "").key
    }
  }
}

extension TesseraError {
  /// The error for a request that matches several accounts.
  ///
  /// None of them is selected automatically.
  static func ambiguous(_ accounts: [Account]) -> TesseraError {
    let names = accounts.prefix(5).map { $0.username ?? $0.homeAccountID }
    let list = names.joined(separator: ", ").plain(atMost: 300)
    var error = TesseraError(
      .fixRequest, .ambiguousAccount,
      """
      Several accounts match: \(list)\(accounts.count > names.count ? ", …" : ""). Let the user choose one of accounts, \
      and pass its home_account_id and environment.
      """)
    error.accounts = accounts
    return error
  }
}
