// SPDX-License-Identifier: MIT
// Accounts: listed, found and removed, without asking any server.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// The accounts for which the store holds a sign-in that this application can use.
  ///
  /// - Parameter timeoutMilliseconds: how long to wait for a store that another process holds; nil for ten seconds.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` when the store could not be read.
  public func accounts(
    timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> [Account] {
    try accountsAnswer(within: limits(timeoutMilliseconds)).accounts
  }

  /// The account with an identifier.
  ///
  /// - Parameters:
  ///   - environment: the account's ``Account/environment``, for an identifier that several providers use.
  ///   - timeoutMilliseconds: as for ``accounts(timeoutMilliseconds:)``.
  /// - Throws: `signIn` with code `account_not_found` when there is none; `fixRequest` with code `ambiguous_account`
  ///   when several providers have one of that name.
  public func account(
    homeAccountID: String, environment: String? = nil, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Account {
    try theOne(
      of: accounts(homeAccountID, environment, limits(timeoutMilliseconds)), "that home_account_id")
  }

  /// The account with a username, whatever its case.
  ///
  /// - Parameters:
  ///   - environment: the account's ``Account/environment``, for a username that several providers use.
  ///   - timeoutMilliseconds: as for ``accounts(timeoutMilliseconds:)``.
  /// - Throws: `signIn` with code `account_not_found` when there is none; `fixRequest` with code `ambiguous_account`
  ///   when there are several: one is never picked.
  public func account(
    username: String, environment: String? = nil, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Account {
    guard username.nonBlank != nil else {
      throw TesseraError(.fixRequest, .invalidMember, "username is empty.")
    }
    let found = try accounts(timeoutMilliseconds: timeoutMilliseconds).filter {
      $0.username?.normalised == username.normalised
        && (environment == nil || environment == $0.environment)
    }
    return try theOne(of: found, "that username")
  }

  /// Forgets an account: its tokens for this application, for every program on this machine.
  ///
  /// Other applications keep theirs, and the person stays signed in in the browser.
  ///
  /// - Parameter timeoutMilliseconds: how long to wait for a store that another process holds, all in all; nil for ten
  ///   seconds at each look at it.
  /// - Returns: whether there was anything to remove.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` when the store could not be written;
  ///   then nothing is removed.
  @discardableResult
  public func removeAccount(
    _ account: Account, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Bool {
    try remove(account, within: limits(timeoutMilliseconds))
  }

  private func remove(_ account: Account, within limits: CallLimits) throws(TesseraError) -> Bool {
    let cloud = CloudTable.cloud(of: account.environment)
    let isEntra = if cloud != nil { true } else { try isEntraAccount(account, limits) }
    let known = try accountsAnswer(within: limits).accounts.contains {
      $0.homeAccountID == account.homeAccountID && $0.environment == account.environment
    }
    let signOut = CacheChange.SignOut(
      homeAccountID: account.homeAccountID, clientID: configuration.clientID,
      environments: cloud.map { $0.aliases + [$0.preferredCache] } ?? [account.environment],
      isEntra: isEntra)
    try cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: limits)
    return known
  }

  /// Forgets the account with an identifier; see ``removeAccount(_:timeoutMilliseconds:)``.
  ///
  /// - Parameter environment: the account's environment, for an identifier that several providers use.
  @discardableResult
  package func removeAccount(
    homeAccountID: String, environment: String?, timeoutMilliseconds: Int64?
  ) throws(TesseraError) -> Bool {
    let limits = limits(timeoutMilliseconds)
    let found = try accounts(homeAccountID, environment, limits)
    // Nobody to remove is no error: the account is gone, which is what was asked for.
    guard !found.isEmpty else { return false }
    return try remove(theOne(of: found, "that home_account_id"), within: limits)
  }

  /// Whether an account of a host that is not built in came from Entra: only Entra sends `client_info`.
  private func isEntraAccount(
    _ account: Account, _ limits: CallLimits
  ) throws(TesseraError) -> Bool {
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    return try cache.snapshot(selection, within: limits).accounts.contains { record in
      record.environment == account.environment && record["client_info"] != nil
    }
  }

  /// Limits of a call that begins now.
  package func limits(_ timeoutMilliseconds: Int64?) -> CallLimits {
    CallLimits(timeoutMilliseconds: timeoutMilliseconds, time: surroundings.time)
  }

  /// The accounts, with what it takes to list them again.
  package func accountsAnswer(within limits: CallLimits) throws(TesseraError) -> AccountsAnswer {
    if let answer = answers.accounts { return answer }
    let known = answers.latestAccounts
    let snapshot = try accountsSnapshot(since: known?.list, limits)
    let accounts = AccountList.usable(by: configuration.clientID, snapshot)
    let answer = AccountsAnswer(accounts, snapshot, after: known)
    answers.remember(answer)
    return answer
  }

  private func accountsSnapshot(
    since list: ListState?, _ limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.since = list
    selection.everyAccount = true
    selection.clientID = configuration.clientID
    if let cloud = try authority(named: nil).cloud {
      selection.keys = Set(cloud.aliases + [cloud.preferredCache]).map {
        AppMetadataRecord(clientID: configuration.clientID, environment: $0, familyID: "").key
      }
    }
    return try cache.snapshot(selection, within: limits)
  }

  private func accounts(
    _ homeAccountID: String, _ environment: String?, _ limits: CallLimits
  ) throws(TesseraError) -> [Account] {
    try accountsAnswer(within: limits).accounts.filter { account in
      [homeAccountID.trimmed, homeAccountID.normalised].contains(account.homeAccountID)
        && (environment == nil || environment == account.environment)
    }
  }

  private func theOne(of found: [Account], _ what: String) throws(TesseraError) -> Account {
    if let account = found.first, found.count == 1 { return account }
    guard !found.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound, "This application has no account with \(what): sign in first.")
    }
    var error = TesseraError(
      .fixRequest, .ambiguousAccount,
      "Several accounts have \(what): choose one by its home_account_id and environment.")
    error.accounts = found
    throw error
  }
}
