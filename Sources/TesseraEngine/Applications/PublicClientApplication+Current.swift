// SPDX-License-Identifier: MIT
// Programs for one person at a time: who it is, and who it was.

import TesseraCache

extension PublicClientApplication {
  /// The one account of a program that is for one person at a time, and who it was at the last such call.
  ///
  /// Asks no server. Who it is now is remembered in the store for the next call, of whatever process; a store that cannot
  /// take that is no error.
  ///
  /// - Parameter timeoutMilliseconds: how long to wait for a store that another process holds; nil for ten seconds.
  /// - Throws: `fixRequest` with code `ambiguous_account` when several have signed in, ``TesseraError/accounts`` has them
  ///   all: then nothing is remembered; `fixStorage` or `retryLater` when the store could not be read.
  public func currentAccount(
    timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> CurrentAccount {
    let limits = limits(timeoutMilliseconds)
    let found = try accountsAnswer(within: limits).accounts
    guard found.count <= 1 else {
      var error = TesseraError(
        .fixRequest, .ambiguousAccount,
        "\(found.count) accounts have signed in, and one is asked for: sign out all others.")
      error.accounts = found
      throw error
    }
    let account = found.first
    var selection = SnapshotSelection()
    let remembered = AccountMetadataRecord(clientID: configuration.clientID)
    selection.keys = [remembered.key]
    let before = try cache.snapshot(selection, within: limits)
      .accountMetadata(of: configuration.clientID)?.principal
    let principal = account.map {
      Principal(
        homeAccountID: $0.homeAccountID, username: $0.username, environment: $0.environment)
    }
    let previous = try before.map { before throws(TesseraError) in
      try known(before, current: account, within: limits)
    }
    if principal != before { remember(principal, within: limits) }
    return CurrentAccount(account: account, previousAccount: previous)
  }

  private func remember(_ principal: Principal?, within limits: CallLimits) {
    let step = CacheChange.Step.setPrincipal(principal, clientID: configuration.clientID)
    do throws(TesseraError) {
      try cache.commitOrThrow(CacheChange([step]), within: limits)
    } catch {
      // The next call will name an older one: no reason to leave the program without the current one.
      surroundings.log.write(.warning, "The current account was not remembered: \(error)")
    }
  }

  /// The account of somebody who was remembered: the current one, one that has signed out, or what is left of it.
  private func known(
    _ principal: Principal, current: Account?, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest(
      homeAccountID: principal.homeAccountID, username: principal.username)
    request.environment = principal.environment
    if let current, request.matches(current) { return current }
    let left = Account(
      homeAccountID: principal.homeAccountID, environment: principal.environment,
      username: principal.username, name: nil, tenantProfiles: [],
      isEntra: CloudTable.cloud(of: principal.environment) != nil)
    // Somebody who had no identifier may have another name with it.
    let found = try self.current(left, within: limits)
    if !found.homeAccountID.isEmpty, found.homeAccountID == current?.homeAccountID { return found }
    request.signedInOnly = false
    return try accounts(request, within: limits).first ?? left
  }
}
