// SPDX-License-Identifier: MIT
// Accounts: listed, found and removed, without asking any server.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// The accounts for which the store holds a sign-in that this application can use.
  ///
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` when the store could not be read.
  public func accounts() throws(TesseraError) -> [Account] {
    try accountsAnswer().accounts
  }

  /// The account with an identifier.
  ///
  /// - Parameter environment: the account's ``Account/environment``, for an identifier that several providers use.
  /// - Throws: `signIn` with code `account_not_found` when there is none; `fixRequest` with code `ambiguous_account`
  ///   when several providers have one of that name.
  public func account(
    homeAccountID: String, environment: String? = nil
  ) throws(TesseraError) -> Account {
    try theOne(of: accounts(homeAccountID, environment), "that home_account_id")
  }

  /// The account with a username, whatever its case.
  ///
  /// - Parameter environment: the account's ``Account/environment``, for a username that several providers use.
  /// - Throws: `signIn` with code `account_not_found` when there is none; `fixRequest` with code `ambiguous_account`
  ///   when there are several: one is never picked.
  public func account(
    username: String, environment: String? = nil
  ) throws(TesseraError) -> Account {
    guard username.nonBlank != nil else {
      throw TesseraError(.fixRequest, .invalidMember, "username is empty.")
    }
    let found = try accounts().filter {
      $0.username?.normalised == username.normalised
        && (environment == nil || environment == $0.environment)
    }
    return try theOne(of: found, "that username")
  }

  /// Forgets an account: its tokens for this application, for every program on this machine.
  ///
  /// Other applications keep theirs, and the person stays signed in in the browser.
  ///
  /// - Returns: whether there was anything to remove.
  /// - Throws: ``TesseraError`` with remedy `fixStorage` or `retryLater` when the store could not be written;
  ///   then nothing is removed.
  @discardableResult
  public func removeAccount(_ account: Account) throws(TesseraError) -> Bool {
    let cloud = CloudTable.cloud(of: account.environment)
    let isEntra = if cloud != nil { true } else { try isEntraAccount(account) }
    let known = try accounts().contains {
      $0.homeAccountID == account.homeAccountID && $0.environment == account.environment
    }
    let signOut = CacheChange.SignOut(
      homeAccountID: account.homeAccountID, clientID: configuration.clientID,
      environments: cloud.map { $0.aliases + [$0.preferredCache] } ?? [account.environment],
      isEntra: isEntra)
    try cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: .none)
    return known
  }

  /// Forgets the account with an identifier; see ``removeAccount(_:)``.
  ///
  /// - Parameter environment: the account's environment, for an identifier that several providers use.
  @discardableResult
  package func removeAccount(
    homeAccountID: String, environment: String?
  ) throws(TesseraError) -> Bool {
    let found = try accounts(homeAccountID, environment)
    // Nobody to remove is no error: the account is gone, which is what was asked for.
    guard !found.isEmpty else { return false }
    return try removeAccount(theOne(of: found, "that home_account_id"))
  }

  /// Whether an account of a host that is not built in came from Entra: only Entra sends `client_info`.
  private func isEntraAccount(_ account: Account) throws(TesseraError) -> Bool {
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    return try cache.snapshot(selection, within: .none).accounts.contains { record in
      record.environment == account.environment && record["client_info"] != nil
    }
  }

  /// The accounts, with what it takes to list them again.
  package func accountsAnswer() throws(TesseraError) -> AccountsAnswer {
    if let answer = answers.accounts { return answer }
    let snapshot = try accountsSnapshot()
    let answer = AccountsAnswer(
      accounts: AccountList.usable(by: configuration.clientID, snapshot), version: snapshot.version)
    answers.remember(answer)
    return answer
  }

  private func accountsSnapshot() throws(TesseraError) -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.everyAccount = true
    if let cloud = try authority(named: nil).cloud {
      selection.keys = Set(cloud.aliases + [cloud.preferredCache]).map {
        AppMetadataRecord(clientID: configuration.clientID, environment: $0, familyID: "").key
      }
    }
    return try cache.snapshot(selection, within: .none)
  }

  private func accounts(
    _ homeAccountID: String, _ environment: String?
  ) throws(TesseraError) -> [Account] {
    try accounts().filter { account in
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
