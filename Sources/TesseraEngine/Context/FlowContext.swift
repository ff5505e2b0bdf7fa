// SPDX-License-Identifier: MIT
// Context of flows: configuration, cache, accounts and server.

package import TesseraCache
package import TesseraWire

/// The configuration, the dependencies and the state that all calls of an application share.
package final class FlowContext: Sendable {
  package let configuration: ApplicationConfiguration
  package let dependencies: Dependencies
  package let cache: CredentialCache
  package let resolver: AuthorityResolver
  let defaultAuthority: Authority
  let knownAuthorities: [Authority]
  package let results: CachedResults
  package let throttles = InMemoryThrottles()
  package let metrics: MetricsRecorder
  /// The telemetry of earlier calls for Entra; `nil` unless the configuration enables it.
  package let telemetry: TelemetryHistory?
  /// The client capabilities in the form stored with the tokens; `nil` for none.
  package let capabilityClaims: String?
  /// The redirect URI of browser sign-ins.
  package let redirectURI: RedirectURI

  /// Creates the context of an application.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  init(
    _ configuration: ApplicationConfiguration, in dependencies: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    defaultAuthority = try configuration.checked()
    var dependencies = try dependencies.authenticated(for: configuration)
    metrics = MetricsRecorder(time: dependencies.time, observer: configuration.host.observer)
    dependencies.transport = MeasuredTransport(dependencies.transport, metrics)
    self.dependencies = dependencies
    redirectURI = try configuration.checkedRedirectURI(at: defaultAuthority)
    knownAuthorities = try configuration.checkedKnownAuthorities()
    capabilityClaims = ClaimsRequest.parameter(
      nil, capabilities: configuration.sortedCapabilities)
    cache = CredentialCache(
      store: dependencies.store, time: dependencies.time, log: dependencies.log, metrics: metrics)
    results = CachedResults(cache, time: dependencies.time)
    telemetry = configuration.sendsServerTelemetry ? TelemetryHistory() : nil
    resolver = AuthorityResolver(
      dependencies, usesInstanceDiscovery: configuration.usesInstanceDiscovery,
      knownHosts: Set(knownAuthorities.map(\.address.authority)))
  }

  /// The present values of the metrics.
  var metricsSnapshot: MetricsSnapshot {
    MetricsSnapshot(
      metrics,
      cacheHits: [
        .acquireTokenSilent: results.responses.hits(of: .token),
        .acquireTokenForClient: results.responses.hits(of: .clientToken),
      ],
      cached: results.responses.size)
  }
}

/// Authenticates the requests of applications with a credential.
package protocol ClientAuthentications: Feature {
  /// Returns the authenticator of an application.
  func authenticator(
    _ credential: ClientCredential, _ configuration: ApplicationConfiguration,
    _ dependencies: Dependencies
  ) -> any ClientAuthenticator
}

extension Dependencies {
  /// Returns the dependencies of an application, with the authenticator of a confidential client.
  ///
  /// - Throws: `feature_unavailable` if the configuration has a credential, and this build does not support it.
  fileprivate func authenticated(
    for configuration: ApplicationConfiguration
  ) throws(TesseraError) -> Dependencies {
    guard let credential = configuration.credential else { return self }
    guard let authentications = feature((any ClientAuthentications).self) else {
      throw MissingFeature.services.error
    }
    var dependencies = self
    dependencies.authenticator = authentications.authenticator(credential, configuration, self)
    return dependencies
  }
}

extension FlowContext {
  /// The hosts of the Entra authorities in the configuration.
  package var entraHosts: Set<String> {
    Set(([defaultAuthority] + knownAuthorities).filter(\.isEntra).map(\.address.environment))
  }

  /// Returns the authority of a request, or the default one.
  ///
  /// - Throws: `fixRequest` with code `invalid_authority` for an invalid address.
  package func authority(named name: String?) throws(TesseraError) -> Authority {
    guard let name else { return defaultAuthority }
    // An authority on the host of the default authority, or of a known one, has the same type.
    let origin = WebURL(name)?.origin
    let sameOrigin = ([defaultAuthority] + knownAuthorities).first { $0.address.origin == origin }
    do throws(TesseraError) {
      return try Authority(name, type: sameOrigin.map { type(of: name, onHostOf: $0) })
    } catch {
      throw TesseraError(.fixRequest, .invalidAuthority, error.message)
    }
  }

  /// Returns the type of an authority on the host of another one, from its address or else that of the other one.
  private func type(of name: String, onHostOf other: Authority) -> AuthorityType {
    guard other.isMicrosoft, other.text != name else { return other.type }
    return WebURL(name).flatMap(AuthorityType.init(of:)) ?? other.type
  }
}

extension FlowContext {
  /// Returns the authority of an account of another provider than the default authority's.
  ///
  /// Returns `nil` if the request names an authority, if the account belongs to the default one, and if the authority
  /// cannot be derived from the account.
  private func ownAuthority(of request: SilentRequest, within limits: CallLimits) -> Authority? {
    guard request.authority == nil, let environment = request.environment?.nonBlank,
      !isAuthority(defaultAuthority, in: environment, within: limits)
    else { return nil }
    if let known = knownAuthorities.first(where: {
      isAuthority($0, in: environment, within: limits)
    }) {
      return known
    }
    let parts = request.homeAccountID.split(separator: ".")
    if CloudTable.cloud(of: environment.normalised) != nil {
      // Another cloud of Entra, where the account is known in its home tenant.
      guard !configuration.supportsMultipleClouds || !defaultAuthority.isEntra,
        let tenant = parts.dropFirst().last
      else { return nil }
      return try? Authority("https://\(environment.normalised)/\(tenant)", type: .entra)
    }
    // The environment of a plain issuer is its address. Other kinds of authorities have only the host in it.
    let address = environment.hasPrefix("http://") ? environment : "https://\(environment)"
    guard let url = WebURL(address), !url.pathSegments.isEmpty || parts.count == 1 else {
      return nil
    }
    return try? Authority(address, type: AuthorityType(of: url) ?? .openID)
  }

  private func isAuthority(
    _ authority: Authority, in environment: String, within limits: CallLimits
  ) -> Bool {
    let own = authority.isEntra ? environment.normalised : environment
    return resolver.environments(of: authority, within: limits)
      .contains { AccountKey.isSameCloud($0, own) }
  }

  /// Returns the authority of a silent request, in the account's cloud if the application supports multiple clouds.
  package func authority(
    of request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Authority {
    if let own = ownAuthority(of: request, within: limits) { return own }
    let authority = try authority(named: request.authority)
    guard configuration.supportsMultipleClouds, case .entra = authority.kind else {
      return authority
    }
    let clientID = configuration.clientID
    let account = authority.normalised(request.homeAccountID)
    var selection = SnapshotSelection()
    selection.keys = [AccountMetadataRecord(clientID: clientID, homeAccountID: account).key]
    let metadata = try cache.snapshot(selection, within: limits).accountMetadata(of: clientID)
    return authority.inCloud(
      ofAccount: account, environment: request.environment, metadata)
  }
}

extension FlowContext {
  /// Returns the telemetry of a call; `nil` unless the configuration enables it.
  func telemetry(
    of function: CallTelemetry.Function, _ refreshType: CurrentTelemetry.RefreshType = .none
  ) -> CallTelemetry? {
    telemetry.map {
      CallTelemetry(
        history: $0,
        current: CurrentTelemetry(apiID: function.rawValue, refreshType: refreshType))
    }
  }

  /// Returns the expected values of a response to this application.
  package func expectation(
    of authority: ResolvedAuthority, _ scopes: Scopes, homeAccountID: String? = nil
  ) -> TokenExpectation {
    var expected = TokenExpectation(
      authority: authority, clientID: configuration.clientID, scopes: scopes,
      homeAccountID: homeAccountID)
    expected.requestedClaims = capabilityClaims
    return expected
  }
}

extension FlowContext {
  /// Commits a change that follows from a response of the server.
  ///
  /// The server may already have invalidated the old refresh token. Therefore neither a cancellation nor a deadline may
  /// lose the new one: the commit has its own timeout.
  @discardableResult
  package func commitWithOwnTimeout(_ change: CacheChange) -> CredentialCache.CommitResult {
    cache.commit(
      change,
      within: CallLimits(
        timeoutMilliseconds: CallLimits.commitMilliseconds, time: dependencies.time))
  }

  /// Stores the tokens of a response, and returns its result, with the scopes that the server declined.
  ///
  /// - Throws: The error of a response that cannot be used.
  package func store(
    _ change: CacheChange, _ tokenRecords: TokenResponseRecords, from authority: ResolvedAuthority,
    _ scopes: Scopes, _ before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    let commit = commitWithOwnTimeout(change)
    var result = try tokenRecords.result(from: authority, before: before)
    result.warnings += authority.warnings
    if let warning = commit.warning {
      result.isPersisted = false
      result.warnings.append(warning)
    }
    result.declinedScopes = tokenRecords.declinedScopes(of: scopes)
    return result
  }
}

extension CredentialCache.CommitResult {
  /// The reason why the tokens are not in the store; `nil` if they are.
  fileprivate var warning: String? {
    switch self {
    case .committed(.applied), .committed(.completed): nil
    case .committed(.superseded(let removal)): removal.warning
    case .queued(let problem): problem.message
    }
  }
}

extension CommitOutcome.Removal {
  fileprivate var warning: String {
    switch self {
    case .signOut: "The account signed out while its token was being refreshed: sign in again."
    case .refreshToken:
      "Another process removed the refresh token while it was being redeemed: sign in again."
    case .importedToken:
      "The migrated refresh token was removed while it was being redeemed, for example by a sign-out."
    }
  }
}

extension FlowContext {
  /// The timeout for storing a record, in milliseconds.
  ///
  /// Afterwards it is kept in this process only.
  private static let recordTimeoutMilliseconds: Int64 = 250

  /// Records that a request must not be sent for some time.
  ///
  /// - Parameters:
  ///   - key: The name of the record, and the account ID of its owner.
  ///   - seconds: The duration for requests without a valid token, in seconds.
  ///   - backoffSeconds: The duration for requests with a valid token.
  package func recordThrottle(
    _ error: TesseraError, as key: (name: String, owner: String), forSeconds seconds: Int64,
    backoffSeconds: Int64 = 0, failures: Int64 = 1
  ) {
    guard max(seconds, backoffSeconds) > 0 else { return }
    let time = dependencies.time
    let clocks = time.clocks
    let record = ThrottleRecord(
      name: key.name, homeAccountID: key.owner, clientID: configuration.clientID,
      at: clocks, blockedForSeconds: seconds, backoffForSeconds: backoffSeconds, failures: failures,
      error: error.recordedMembers)
    do throws(TesseraError) {
      try dependencies.store.commit(
        CacheChange([.throttle(record, at: clocks)]),
        within: CallLimits(
          timeoutMilliseconds: FlowContext.recordTimeoutMilliseconds, time: time))
    } catch {
      dependencies.log.write(
        .warning,
        "The failed request is throttled in this process only; the store reported \(error.code.rawValue)."
      )
      throttles.add(record, at: clocks)
    }
  }

  /// Throttles requests with declined scopes, because the server would decline them again (as in MSAL for Apple).
  func recordDeclinedScopes(of result: TokenResult, as key: (name: String, owner: String)) {
    guard !result.declinedScopes.isEmpty else { return }
    let error = TesseraError(declinedScopesOf: result)
    recordThrottle(error, as: key, forSeconds: ThrottleRule.rejectionSeconds(after: error))
  }
}

extension TesseraError {
  /// Creates the error that states why a request with declined scopes is not sent again.
  init(declinedScopesOf result: TokenResult) {
    self.init(
      .signIn, .serverDeclinedScopes,
      """
      The server granted fewer scopes than requested; it declined: \
      \(Scopes(result.declinedScopes).text). Sign in again and consent, or request only the granted scopes.
      """)
    grantedScopes = Scopes(result.scopes).minus(.reserved).list
    declinedScopes = result.declinedScopes
  }
}

/// The accounts of the application in the store, read within the limits of a call.
package struct AccountDirectory {
  let context: FlowContext
  let limits: CallLimits

  /// Creates the directory of a call.
  package init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Returns the accounts, with the state needed to list them incrementally.
  ///
  /// Caches the list.
  package func list() throws(TesseraError) -> CachedAccountList {
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
  package func accounts(_ request: AccountsRequest) throws(TesseraError) -> [Account] {
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
  package static func ambiguous(_ accounts: [Account]) -> TesseraError {
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
    let legacy = try context.cache.snapshot(selection, within: limits).legacyAccounts
    return StoredAccounts(accounts: listed, legacy: legacy).current(account)
  }

  /// Returns the names under which imported caches of older libraries have the account.
  ///
  /// Usually there are none.
  package func legacyNames(of account: Account) throws(TesseraError) -> Set<ExactString> {
    guard try context.cache.hasImports(within: limits) else { return [] }
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let legacy = try context.cache.snapshot(selection, within: limits).legacyAccounts
    return StoredAccounts(accounts: [], legacy: legacy).legacyNames(of: account)
  }

  /// Reads the accounts from which one is removed: those with an identifier, or else all of them.
  ///
  /// All accounts are read if there is no identifier, if the application has no account with it, and if the cache of an
  /// older library was imported, whose accounts have no identifier.
  func stored(_ homeAccountID: String?) throws(TesseraError) -> StoredAccounts {
    let clientID = context.configuration.clientID
    let clouds = try [context.authority(named: nil).cloud] + CloudTable.clouds
    var selection = SnapshotSelection()
    selection.keys = Set(clouds.flatMap(familyKeys)) + [LegacySourcesRecord.key]
    if let homeAccountID = homeAccountID?.nonBlank {
      selection.owner = homeAccountID
      let snapshot = try context.cache.snapshot(selection, within: limits)
      let accounts = AccountList.usable(by: clientID, snapshot)
      let hasImports = snapshot.records.contains { $0.key == LegacySourcesRecord.key }
      if !accounts.isEmpty, !hasImports { return StoredAccounts(accounts: accounts, legacy: []) }
      selection.owner = nil
    }
    selection.allAccounts = true
    selection.clientID = clientID
    let snapshot = try context.cache.snapshot(selection, within: limits)
    return StoredAccounts(
      accounts: AccountList.usable(by: clientID, snapshot), legacy: snapshot.legacyAccounts)
  }
}

/// The accounts that an application can use, with the accounts that older libraries left.
struct StoredAccounts {
  let accounts: [Account]
  /// The imported accounts, which ``accounts`` lists as far as the application can use them.
  let legacy: [LegacyAccountRecord]

  /// Returns the current version of a listed account, which may have received an identifier since it was listed.
  func current(_ account: Account) -> Account {
    guard account.homeAccountID.isEmpty, let name = account.username?.nonBlank,
      !accounts.contains(account)
    else { return account }
    let homes = legacy.first { $0.key == LegacyAccountRecord.key(of: name) }?.homeAccountIDs
    var wanted = AccountsRequest()
    wanted.username = name
    wanted.environment = account.environment
    let found = accounts.filter { other in
      (wanted.matches(other) || homes?.contains(other.homeAccountID) == true)
        && other.canBeSameAccount(account)
    }
    return found.first.map { found.count == 1 ? $0 : account } ?? account
  }

  /// Returns the names under which imported caches of older libraries have the account.
  func legacyNames(of account: Account) -> Set<ExactString> {
    let (home, objectIDs) = (account.homeAccountID, account.objectIDs)
    let known = legacy.filter { record in
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
