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

  /// The accounts that a question is for.
  ///
  /// - Throws: `fixRequest` for a part that is empty; otherwise as ``accounts(timeoutMilliseconds:)``.
  public func accounts(_ request: AccountsRequest) throws(TesseraError) -> [Account] {
    try accounts(request, within: limits(request.timeoutMilliseconds))
  }

  /// The same for a part of a call.
  func accounts(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> [Account] {
    try request.check()
    let all =
      request.signedInOnly
      ? try accountsAnswer(within: limits).accounts
      : AccountList.all(try accountsSnapshot(since: nil, limits))
    let found = all.filter(request.matches)
    guard request.includesClaims, !found.isEmpty else { return found }
    var selection = SnapshotSelection()
    if let only = found.first, found.count == 1 {
      selection.owner = only.homeAccountID
    } else {
      selection.everyAccount = true
    }
    let snapshot = try cache.snapshot(selection, within: limits)
    return AccountList.withClaims(found, of: configuration.clientID, snapshot)
  }

  /// The one account that a question is for.
  ///
  /// - Throws: `signIn` with code `account_not_found` when there is none; `fixRequest` with code `ambiguous_account`
  ///   when there are several: one is never picked, ``TesseraError/accounts`` has them all.
  public func account(_ request: AccountsRequest) throws(TesseraError) -> Account {
    try account(request, within: limits(request.timeoutMilliseconds))
  }

  /// The same for a part of a call.
  func account(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    try theOne(of: accounts(request, within: limits))
  }

  /// The account with an identifier.
  ///
  /// - Parameters:
  ///   - environment: the account's ``Account/environment``, for an identifier that several providers use.
  ///   - timeoutMilliseconds: as for ``accounts(timeoutMilliseconds:)``.
  /// - Throws: as ``account(_:)``.
  public func account(
    homeAccountID: String, environment: String? = nil, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.homeAccountID = homeAccountID
    request.environment = environment
    request.timeoutMilliseconds = timeoutMilliseconds
    return try account(request)
  }

  /// The account with a username, in any tenant and whatever its case.
  ///
  /// - Parameters:
  ///   - environment: the account's ``Account/environment``, for a username that several providers use.
  ///   - timeoutMilliseconds: as for ``accounts(timeoutMilliseconds:)``.
  /// - Throws: as ``account(_:)``.
  public func account(
    username: String, environment: String? = nil, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.username = username
    request.environment = environment
    request.timeoutMilliseconds = timeoutMilliseconds
    return try account(request)
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

  /// Signs somebody out: of this application, of all that share the store, or empties the store.
  ///
  /// What lies on this machine goes first and whatever the network does. Afterwards a silent call needs a new sign-in.
  ///
  /// - Parameters:
  ///   - request: who, of what, and what the provider is asked for.
  ///   - cancellation: stops the call, from another thread: before the tokens are removed, or while the provider is asked.
  /// - Returns: what was removed, and what stays where.
  /// - Throws: ``TesseraError`` as ``removeAccount(_:timeoutMilliseconds:)`` and ``account(_:)``; then nothing is removed.
  public func signOut(
    _ request: SignOutRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> SignOutReport {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return try SignOutFlow(self, request, cancellation).run()
  }

  private func remove(_ listed: Account, within limits: CallLimits) throws(TesseraError) -> Bool {
    let account = try current(listed, within: limits)
    let known = try accountsAnswer(within: limits).accounts.contains {
      $0.homeAccountID == account.homeAccountID
        && AccountPerson.sharesCloud($0.environment, account.environment)
        && (!account.homeAccountID.isEmpty || $0.username == account.username)
    }
    let signOut = CacheChange.SignOut(
      of: account, at: configuration.clientID,
      legacyNames: try legacyNames(of: account, within: limits))
    try cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: limits)
    return known
  }

  /// Forgets the account with an identifier; see ``removeAccount(_:timeoutMilliseconds:)``.
  ///
  /// - Parameters:
  ///   - username: who it is, where the identifier is empty.
  ///   - environment: the account's environment, for an identifier that several providers use.
  @discardableResult
  package func removeAccount(
    homeAccountID: String, username: String?, environment: String?, timeoutMilliseconds: Int64?
  ) throws(TesseraError) -> Bool {
    let limits = limits(timeoutMilliseconds)
    var request = AccountsRequest(homeAccountID: homeAccountID, username: username)
    request.environment = environment
    try request.check()
    let found = try accountsAnswer(within: limits).accounts.filter(request.matches)
    // Nobody to remove is no error: the account is gone, which is what was asked for.
    guard !found.isEmpty else { return false }
    return try remove(theOne(of: found), within: limits)
  }

  /// Limits of a call that begins now.
  package func limits(
    _ timeoutMilliseconds: Int64?, _ cancellation: Cancellation? = nil
  ) -> CallLimits {
    CallLimits(
      timeoutMilliseconds: timeoutMilliseconds, cancellation: cancellation, time: surroundings.time)
  }

  /// The accounts that were listed before, if nobody has signed in or out since.
  package var rememberedAccounts: AccountsAnswer? { answers.accounts }

  /// The accounts, with what it takes to list them again.
  package func accountsAnswer(within limits: CallLimits) throws(TesseraError) -> AccountsAnswer {
    if let answer = answers.accounts { return answer }
    var known = answers.latestAccounts
    var snapshot = try accountsSnapshot(since: known?.list, limits)
    if !snapshot.legacyAccounts.isEmpty {
      // Who signs in here leaves the list there, in whatever range of it.
      if snapshot.ranges != nil { snapshot = try accountsSnapshot(since: nil, limits) }
      known = nil
      snapshot.list = nil
    }
    let accounts = AccountList.usable(by: configuration.clientID, snapshot)
    let answer = AccountsAnswer(accounts, snapshot, after: known)
    answers.remember(answer)
    return answer
  }

  private func accountsSnapshot(
    since list: ListState?, _ limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let cloud = try authority(named: nil).cloud
    var selection = SnapshotSelection()
    selection.since = list
    selection.everyAccount = true
    selection.clientID = configuration.clientID
    selection.keys = familyKeys(cloud)
    let snapshot = try cache.snapshot(selection, within: limits)
    let others = AccountList.foreignClouds(in: snapshot, own: cloud)
    guard !others.isEmpty else { return snapshot }
    selection.keys += others.flatMap(familyKeys)
    return try cache.snapshot(selection, within: limits)
  }

  /// Where a cloud's word on the application's family is stored.
  private func familyKeys(_ cloud: CloudInstance?) -> [RecordKey] {
    Set((cloud?.aliases ?? []) + (cloud.map { [$0.preferredCache] } ?? [])).map {
      AppMetadataRecord(clientID: configuration.clientID, environment: $0, familyID: "").key
    }
  }

  private func theOne(of found: [Account]) throws(TesseraError) -> Account {
    if let account = found.first, found.count == 1 { return account }
    guard !found.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound, "This application has no such account: sign in first.")
    }
    throw .ambiguous(found)
  }
}

extension TesseraError {
  /// Several people fit, and one is never picked.
  static func ambiguous(_ accounts: [Account]) -> TesseraError {
    var error = TesseraError(
      .fixRequest, .ambiguousAccount,
      "Several accounts fit: choose one by its home_account_id and environment.")
    error.accounts = accounts
    return error
  }
}
