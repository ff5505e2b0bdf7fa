// SPDX-License-Identifier: MIT
// The sign-out: removes the local tokens in one commit, then contacts the provider.

import TesseraCache
import TesseraWire

/// A sign-out of one account, or of all accounts.
struct SignOutFlow {
  let context: FlowContext
  let request: SignOutRequest
  let authority: Authority
  let limits: CallLimits
  let serverClient: ServerClient
  private let directory: AccountDirectory

  init(
    _ context: FlowContext, _ request: SignOutRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) {
    self.context = context
    self.request = request
    authority = try context.authority(named: request.authority)
    try RequestRules.correlationID(request.correlationID)
    let dependencies = context.dependencies
    limits = CallLimits(
      timeout: request.timeout, cancellation: cancellation,
      time: dependencies.time)
    directory = AccountDirectory(context, within: limits)
    serverClient = ServerClient(dependencies, limits: limits, correlationID: request.correlationID)
      .identified()
  }

  /// Removes the local tokens, then contacts the provider.
  ///
  /// A network failure does not prevent the removal.
  func run() throws(TesseraError) -> SignOutReport {
    var report = SignOutReport(request.scope)
    let account = request.scope == .machine ? nil : try accountToSignOut()
    guard request.scope == .machine || account != nil else {
      // An unknown account is not an error: its tokens are already gone.
      report.warnings.append("The store does not contain the account for this application.")
      removeFromBroker(about: nil, &report)
      return report
    }
    let names = try account.map { account throws(TesseraError) in
      try directory.legacyNames(of: account)
    }
    let before = try records(of: account, names ?? [])
    var after: [CacheRecord] = []
    if let account {
      report.accounts = [account]
      let signOut = CacheChange.SignOut(
        of: account,
        at: request.scope == .application ? context.configuration.clientID : nil,
        legacyNames: names ?? [])
      try commit(.signOut(signOut))
      after = remainingRecords(of: account, signOut.legacyNames, before, &report)
    } else {
      report.accounts = try directory.list().accounts
      try commit(.removeEverything)
      deleteQuarantined(&report)
    }
    let removedRecords = Set(before).subtracting(after)
    report.count(removedRecords)
    log(report)
    contactProvider(about: removedRecords, &report)
    removeFromBroker(about: account, &report)
    report.addRemaining(removedRecords, after, account.map(\.storedEnvironments))
    return report
  }

  /// Commits a removal, unless the deadline has passed or the call was cancelled.
  private func commit(_ step: CacheChange.Step) throws(TesseraError) {
    try limits.check(context.dependencies.time)
    try context.cache.commitOrThrow(CacheChange([step]), within: limits)
  }

  private func log(_ report: SignOutReport) {
    let log = context.dependencies.log
    let names = report.accounts.prefix(10).map { log.text(ofUser: $0.username) }
    log.write(
      .information,
      "Signed out of \(report.scope.rawValue): \(names.joined(separator: ", "))")
  }

  /// Returns the account to sign out, or `nil` if it is unknown.
  private func accountToSignOut() throws(TesseraError) -> Account? {
    if let account = request.account {
      return try directory.current(account)
    }
    var wanted = AccountsRequest(named: request.homeAccountID, or: request.username)
    guard wanted.homeAccountID != nil || wanted.username != nil else {
      throw TesseraError(
        .fixRequest, .missingParameter,
        "home_account_id is missing: specify the account to sign out.")
    }
    wanted.environment = request.environment
    // The other scopes include accounts known only to other applications.
    wanted.signedInOnly = request.scope == .application
    do throws(TesseraError) {
      return try directory.account(wanted)
    } catch {
      guard error.code == .accountNotFound else { throw error }
      return nil
    }
  }

  /// Returns the stored records of an account, or of all accounts.
  ///
  /// Tokens imported from older libraries are converted.
  private func records(
    of account: Account?, _ names: Set<ExactString>
  ) throws(TesseraError) -> [CacheRecord] {
    var selection = SnapshotSelection()
    guard let account else {
      selection.allAccounts = true
      let all = try context.cache.snapshot(selection, within: limits)
      var records = all.records
      for owner in Set(records.compactMap(\.owner)) {
        try limits.check(context.dependencies.time)
        selection = SnapshotSelection()
        selection.owner = owner
        records += try context.cache.snapshot(selection, within: limits).records
      }
      return records + legacyTokens(in: all)
    }
    // An account without an ID owns only the records stored under its user name.
    selection.owner = account.homeAccountID.nonBlank
    selection.keys = names.texts.map(LegacyAccountRecord.key)
    let snapshot = try context.cache.snapshot(selection, within: limits)
    return snapshot.records + legacyTokens(in: snapshot)
  }

  /// Returns the remaining records of an account.
  ///
  /// If the store cannot be read, returns the records read before the removal that the sign-out does not remove.
  private func remainingRecords(
    of account: Account, _ names: Set<ExactString>, _ before: [CacheRecord],
    _ report: inout SignOutReport
  ) -> [CacheRecord] {
    do throws(TesseraError) {
      return try records(of: account, names)
    } catch {
      report.warnings.append(
        "The account is signed out, but its remaining records could not be read: \(error.message)")
      guard request.scope == .application else { return [] }
      let own = context.configuration.clientID.normalised
      return before.filter { record in
        guard case .credential(let token) = record else { return true }
        return token.clientID.normalised != own || token.familyID != nil
      }
    }
  }

  /// Returns the refresh tokens from older libraries and their replacements, each with the client ID that can revoke it.
  private func legacyTokens(in snapshot: CacheSnapshot) -> [CacheRecord] {
    snapshot.legacyAccounts.flatMap { record in
      (record.items + record.superseded).compactMap { item in
        guard var token = item.credential else { return nil }
        if token.familyID != nil { token.clientID = context.configuration.clientID }
        return .credential(token)
      }
    }
  }

  private func deleteQuarantined(_ report: inout SignOutReport) {
    let store = context.dependencies.store
    for path in store.otherGroupDatabases {
      var remainder = SignOutReport.LeftoverToken(.otherGroup)
      remainder.path = path
      report.remaining.append(remainder)
    }
    do throws(TesseraError) {
      guard try !store.deleteQuarantined(within: limits) else { return }
    } catch {
      report.warnings.append(
        "Quarantined files could not be deleted: \(error.message)")
    }
    for path in store.info(context.configuration.store.policy, within: limits).setAside {
      var remainder = SignOutReport.LeftoverToken(.setAside)
      remainder.path = path
      report.remaining.append(remainder)
    }
  }
}
