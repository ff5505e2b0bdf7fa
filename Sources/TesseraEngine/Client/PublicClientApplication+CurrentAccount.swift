// SPDX-License-Identifier: MIT
// Single-account applications: the current account and the previous one.

import TesseraCache

extension PublicClientApplication {
  /// Returns the only signed-in account, and the account that the previous call returned.
  ///
  /// Works offline. The current account is recorded in the store for the next call of any process. If the store cannot be
  /// written, the call still succeeds.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `fixRequest` with code `ambiguous_account` if several accounts are signed in; ``TesseraError/accounts``
  ///   lists them, and nothing is recorded. `fixStorage` or `retryLater` if the store could not be read.
  public func currentAccount(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CurrentAccount {
    try currentAccount(within: startedLimits(timeout, cancellation))
  }

  /// Returns the only signed-in account and the previous one, within the limits of a call.
  package func currentAccount(within limits: CallLimits) throws(TesseraError) -> CurrentAccount {
    let found = try accountList(within: limits).accounts
    guard found.count <= 1 else {
      var error = TesseraError(
        .fixRequest, .ambiguousAccount,
        "\(found.count) accounts are signed in, but only one is allowed: sign out the others.")
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
    if principal != before { try recordCurrentAccount(principal, within: limits) }
    return CurrentAccount(account: account, previousAccount: previous)
  }

  /// Records the current account in the store.
  ///
  /// - Throws: Only `cancelled`. Any other error is logged.
  private func recordCurrentAccount(
    _ principal: Principal?, within limits: CallLimits
  ) throws(TesseraError) {
    let step = CacheChange.Step.setPrincipal(principal, clientID: configuration.clientID)
    do throws(TesseraError) {
      try cache.commitOrThrow(CacheChange([step]), within: limits)
    } catch {
      guard error.code != .cancelled else { throw error }
      // The next call may then report an outdated previous account. The current account is still returned.
      let log = dependencies.log
      log.write(.warning, "The current account could not be recorded: \(log.text(of: error))")
    }
  }

  /// Returns the account of a recorded principal: the current account, a signed-out account, or the recorded values.
  private func known(
    _ principal: Principal, current: Account?, within limits: CallLimits
  ) throws(TesseraError) -> Account {
    var request = AccountsRequest(
      named: principal.homeAccountID, or: principal.username)
    request.environment = principal.environment
    if let current, request.matches(current) { return current }
    let left = Account(
      homeAccountID: principal.homeAccountID, environment: principal.environment,
      username: principal.username, name: nil, tenantProfiles: [],
      isEntra: CloudTable.cloud(of: principal.environment) != nil)
    // An account that was recorded without an identifier may have an identifier and a different user name now.
    let found = try self.current(left, within: limits)
    if !found.homeAccountID.isEmpty, found.homeAccountID == current?.homeAccountID { return found }
    request.signedInOnly = false
    return try accounts(request, within: limits).first ?? left
  }
}
