// SPDX-License-Identifier: MIT
// Listing, finding and removing accounts, without network access.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// Returns the accounts with tokens that this application can use.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` if the store could not be read.
  public func accounts(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [Account] {
    try accountList(within: startedLimits(timeout, cancellation)).accounts
  }

  /// Returns the accounts that match a request.
  ///
  /// - Parameters:
  ///   - request: The conditions that an account must meet.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `fixRequest` for an empty member; otherwise as ``accounts(timeout:cancellation:)``.
  public func accounts(
    _ request: AccountsRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> [Account] {
    try accounts(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns the accounts that match a request, within the limits of a call.
  package func accounts(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> [Account] {
    try request.check()
    let all =
      request.signedInOnly
      ? try accountList(within: limits).accounts
      : AccountList.all(try accountsSnapshot(since: nil, limits))
    let found = all.filter(request.matches)
    guard request.includesClaims, !found.isEmpty else { return found }
    var selection = SnapshotSelection()
    if let only = found.first, found.count == 1 {
      selection.owner = only.homeAccountID
    } else {
      selection.allAccounts = true
    }
    let snapshot = try cache.snapshot(selection, within: limits)
    return AccountList.withClaims(found, of: configuration.clientID, snapshot)
  }

  /// Returns the one account that matches a request.
  ///
  /// - Parameters:
  ///   - request: The conditions that the account must meet.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `signIn` with code `account_not_found` if no account matches. `fixRequest` with code `ambiguous_account` if
  ///   several accounts match; ``TesseraError/accounts`` lists them.
  public func account(
    _ request: AccountsRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    try account(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns the one account that matches a request, within the limits of a call.
  package func account(
    _ request: AccountsRequest, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    try onlyAccount(of: accounts(request, within: limits))
  }

  /// Returns the account with an identifier.
  ///
  /// - Parameters:
  ///   - homeAccountID: The ``Account/homeAccountID``.
  ///   - environment: The account's ``Account/environment``. Set it if several providers use the same identifier.
  ///   - timeout: As for ``accounts(timeout:cancellation:)``.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: As ``account(_:cancellation:)``.
  public func account(
    homeAccountID: String, environment: String? = nil, timeout: Duration? = nil,
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.homeAccountID = homeAccountID
    request.environment = environment
    request.timeout = timeout
    return try account(request, cancellation: cancellation)
  }

  /// Returns the account with a username, in any tenant.
  ///
  /// The comparison ignores case.
  ///
  /// - Parameters:
  ///   - username: The user name.
  ///   - environment: The account's ``Account/environment``. Set it if several providers have a user with this name.
  ///   - timeout: As for ``accounts(timeout:cancellation:)``.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: As ``account(_:cancellation:)``.
  public func account(
    username: String, environment: String? = nil, timeout: Duration? = nil,
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest()
    request.username = username
    request.environment = environment
    request.timeout = timeout
    return try account(request, cancellation: cancellation)
  }

  /// Removes an account: deletes its tokens for this application from the store, which affects all processes.
  ///
  /// Other applications keep their tokens, and the user stays signed in in the browser.
  ///
  /// - Parameters:
  ///   - account: The account to remove.
  ///   - timeout: The maximum total time to wait for another process that holds the store; `nil` for ten
  ///     seconds for each access.
  ///   - cancellation: Cancels the call from another thread.
  /// - Returns: Whether the account was signed in.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` if the store could not be written. Then nothing is
  ///   removed.
  @discardableResult
  public func removeAccount(
    _ account: Account, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Bool {
    try remove(account, within: startedLimits(timeout, cancellation))
  }

  /// Signs a user out of this application or of all applications that share the store, or empties the store.
  ///
  /// Local tokens are removed first, regardless of the network. A later silent call requires a new sign-in.
  ///
  /// - Parameters:
  ///   - request: The account, the scope of the sign-out, and the requests to send to the provider.
  ///   - cancellation: Cancels the call from another thread, before the tokens are removed or during the requests to the
  ///     provider.
  /// - Returns: A report of the removed and the remaining tokens.
  /// - Throws: ``TesseraError`` as ``removeAccount(_:timeout:cancellation:)`` and ``account(_:cancellation:)``. Then nothing is removed.
  public func signOut(
    _ request: SignOutRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> SignOutReport {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return try SignOutFlow(self, request, cancellation).run()
  }

  private func remove(_ listed: Account, within limits: CallLimits) throws(TesseraError) -> Bool {
    let account = try current(listed, within: limits)
    let known = try accountList(within: limits).accounts.contains {
      $0.homeAccountID == account.homeAccountID
        && AccountKey.isSameCloud($0.environment, account.environment)
        && (!account.homeAccountID.isEmpty || $0.username == account.username)
    }
    let signOut = CacheChange.SignOut(
      of: account, at: configuration.clientID,
      legacyNames: try legacyNames(of: account, within: limits))
    try cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: limits)
    return known
  }

  /// Removes the account with an identifier; see ``removeAccount(_:timeout:cancellation:)``.
  ///
  /// - Parameters:
  ///   - username: The user name, which identifies the account if the identifier is empty.
  ///   - environment: The account's environment, for an identifier that several providers use.
  @discardableResult
  package func removeAccount(
    homeAccountID: String, username: String?, environment: String?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    var request = AccountsRequest(named: homeAccountID, or: username)
    request.environment = environment
    try request.check()
    let found = try accountList(within: limits).accounts.filter(request.matches)
    // An account that does not exist is not an error: the call is idempotent.
    guard !found.isEmpty else { return false }
    return try remove(onlyAccount(of: found), within: limits)
  }

  /// Returns the limits of a call that starts now.
  package func limits(
    _ timeout: Duration?, _ cancellation: Cancellation? = nil
  ) -> CallLimits {
    CallLimits(
      timeout: timeout, cancellation: cancellation, time: dependencies.time)
  }

  /// Returns the limits of a call that starts now.
  ///
  /// - Throws: `cancelled` if the call is already cancelled.
  func startedLimits(
    _ timeout: Duration?, _ cancellation: Cancellation?
  ) throws(TesseraError) -> CallLimits {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return limits(timeout, cancellation)
  }

  /// The cached list of accounts, unless a sign-in or sign-out has changed it.
  package var cachedAccounts: CachedAccountList? { answers.accounts }

  /// Returns the accounts, with the state needed to list them incrementally.
  ///
  /// Caches the list.
  package func accountList(within limits: CallLimits) throws(TesseraError) -> CachedAccountList {
    if let answer = answers.accounts { return answer }
    var known = answers.previousAccountList
    var snapshot = try accountsSnapshot(since: known?.list, limits)
    if !snapshot.legacyAccounts.isEmpty {
      // A sign-in hides legacy accounts of any range. Therefore the whole list is read.
      if snapshot.ranges != nil { snapshot = try accountsSnapshot(since: nil, limits) }
      known = nil
      snapshot.list = nil
    }
    let accounts = AccountList.usable(by: configuration.clientID, snapshot)
    let answer = CachedAccountList(accounts, snapshot, after: known)
    answers.remember(answer)
    return answer
  }

  private func accountsSnapshot(
    since list: AccountListVersion?, _ limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let cloud = try authority(named: nil).cloud
    var selection = SnapshotSelection()
    selection.since = list
    selection.allAccounts = true
    selection.clientID = configuration.clientID
    selection.keys = familyKeys(cloud)
    let snapshot = try cache.snapshot(selection, within: limits)
    let others = AccountList.otherClouds(in: snapshot, own: cloud)
    guard !others.isEmpty else { return snapshot }
    selection.keys += others.flatMap(familyKeys)
    return try cache.snapshot(selection, within: limits)
  }

  /// Returns the keys of the app metadata records that hold the application's family ID in a cloud, one for each alias.
  private func familyKeys(_ cloud: CloudInstance?) -> [RecordKey] {
    Set((cloud?.aliases ?? []) + (cloud.map { [$0.preferredCache] } ?? [])).map {
      AppMetadataRecord(clientID: configuration.clientID, environment: $0, familyID: "").key
    }
  }

  private func onlyAccount(of found: [Account]) throws(TesseraError) -> Account {
    if let account = found.first, found.count == 1 { return account }
    guard !found.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound,
        "The store does not contain the account for this application: sign in.")
    }
    throw .ambiguous(found)
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
