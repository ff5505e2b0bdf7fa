// SPDX-License-Identifier: MIT
// The current account of a single-account application, and the previous one.

import TesseraCache
import TesseraWire

extension AccountDirectory {
  /// Returns the only signed-in account and the previous one.
  func currentAccount() throws(TesseraError) -> CurrentAccount {
    let found = try list().accounts
    guard found.count <= 1 else {
      var error = TesseraError(
        .fixRequest, .ambiguousAccount,
        "\(found.count) accounts are signed in, but only one is allowed: sign out the others.")
      error.accounts = found
      throw error
    }
    let account = found.first
    var selection = SnapshotSelection()
    let remembered = AccountMetadataRecord(clientID: context.configuration.clientID)
    selection.keys = [remembered.key]
    let before = try context.cache.snapshot(selection, within: limits)
      .accountMetadata(of: context.configuration.clientID)?.principal
    let principal = account.map {
      Principal(
        homeAccountID: $0.homeAccountID, username: $0.username, environment: $0.environment)
    }
    let previous = try before.map { before throws(TesseraError) in
      try known(before, current: account)
    }
    if principal != before { try recordCurrentAccount(principal) }
    return CurrentAccount(account: account, previousAccount: previous)
  }

  /// Records the current account in the store.
  ///
  /// - Throws: Only `cancelled`. Any other error is logged.
  private func recordCurrentAccount(
    _ principal: Principal?
  ) throws(TesseraError) {
    let step = CacheChange.Step.setPrincipal(principal, clientID: context.configuration.clientID)
    do throws(TesseraError) {
      try context.cache.commitOrThrow(CacheChange([step]), within: limits)
    } catch {
      guard error.code != .cancelled else { throw error }
      // The next call may then report an outdated previous account. The current account is still returned.
      let log = context.dependencies.log
      log.write(.warning, "The current account could not be recorded: \(log.text(of: error))")
    }
  }

  /// Returns the account of a recorded principal: the current account, a signed-out account, or the recorded values.
  private func known(
    _ principal: Principal, current: Account?
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
    let found = try self.current(left)
    if !found.homeAccountID.isEmpty, found.homeAccountID == current?.homeAccountID { return found }
    request.signedInOnly = false
    return try accounts(request).first ?? left
  }
}
