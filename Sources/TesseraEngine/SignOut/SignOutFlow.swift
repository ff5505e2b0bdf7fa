// SPDX-License-Identifier: MIT
// The sign-out.

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

  /// Signs out, and records the metrics of the call.
  static func run(
    _ context: FlowContext, _ request: SignOutRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> SignOutReport {
    try context.metrics.measure(.signOut) { () throws(TesseraError) in
      try SignOutFlow(context, request, cancellation).run()
    }
  }

  private init(
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
    var serverClient = ServerClient(
      dependencies, limits: limits, correlationID: request.correlationID
    ).identified()
    serverClient.traceContext = try request.traceContext()
    self.serverClient = serverClient
  }

  /// Removes the local tokens, then contacts the provider.
  ///
  /// A network failure does not prevent the removal.
  private func run() throws(TesseraError) -> SignOutReport {
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

extension SignOutFlow {
  /// Returns the application's ID token of the account that signs out.
  ///
  /// Adds a warning if the token is too long.
  ///
  /// Only an ID token issued by the provider of the end-session URL is used.
  func idTokenHint(among removedRecords: Set<CacheRecord>, _ report: inout SignOutReport) -> Secret?
  {
    guard let account = report.accounts.first else { return nil }
    let hosts = context.resolver.environments(of: authority, within: limits)
    let clientID = context.configuration.clientID.normalised
    let home = account.homeAccountID.split(separator: ".").last.map(String.init)
    let tokens = removedRecords.compactMap { record -> CredentialRecord? in
      guard case .credential(let token) = record, token.type == .idToken,
        token.clientID.normalised == clientID,
        authority.normalised(token.homeAccountID) == authority.normalised(account.homeAccountID),
        hosts.contains(authority.isEntra ? token.environment.normalised : token.environment)
      else { return nil }
      return token
    }
    // Prefer the tenant of the authority, then the home tenant of the account.
    func rank(_ token: CredentialRecord) -> Int {
      token.realm == authority.tenant ? 0 : token.realm == home ? 1 : 2
    }
    let best = tokens.min { (rank($0), $0.realm ?? "") < (rank($1), $1.realm ?? "") }
    guard let hint = best?.secret else { return nil }
    guard hint.reveal().utf8.count <= EndSessionRequest.hintLimit else {
      report.warnings.append(
        """
        The ID token is too long for the end-session address (more than \(EndSessionRequest.hintLimit) bytes) and was \
        omitted: the provider may ask the user to confirm.
        """)
      return nil
    }
    return hint
  }
}

extension SignOutFlow {
  /// Revokes the refresh tokens and builds the end-session URL, if requested.
  ///
  /// Failures are reported as warnings.
  func contactProvider(about removedRecords: Set<CacheRecord>, _ report: inout SignOutReport) {
    guard request.revokesTokens || request.wantsEndSessionURL else { return }
    let resolved: ResolvedAuthority
    do throws(TesseraError) {
      resolved = try context.resolver.resolve(authority, serverClient)
    } catch {
      report.warnings.append("\(authority.text) could not be contacted: \(error.message)")
      if request.revokesTokens {
        report.revocations = tokens(in: removedRecords).map {
          SignOutReport.Revocation(clientID: $0.clientID, error: error)
        }
      }
      return
    }
    if request.revokesTokens { revoke(tokens(in: removedRecords), at: resolved, &report) }
    guard request.wantsEndSessionURL else { return }
    guard let endpoint = resolved.configuration.endSessionEndpoint else {
      return report.warnings.append("\(authority.text) has no end-session endpoint.")
    }
    var session = EndSessionRequest(
      clientID: context.configuration.clientID, username: report.accounts.first?.username,
      postLogoutRedirectURI: request.postLogoutRedirectURI)
    session.idTokenHint = idTokenHint(among: removedRecords, &report)
    report.endSessionURL = session.url(at: endpoint)
  }

  /// Returns the distinct refresh tokens among the removed records, each followed by the unverified token that replaced it.
  private func tokens(in removedRecords: Set<CacheRecord>) -> [CredentialRecord] {
    var seen: Set<Secret> = []
    return removedRecords.flatMap { record -> [CredentialRecord] in
      guard case .credential(let token) = record, token.type.isRefreshToken else { return [] }
      return [token, token.unverifiedSuccessor].compactMap(\.self)
    }.sorted { ($0.clientID, $0.environment) < ($1.clientID, $1.environment) }
      .filter { seen.insert($0.secret).inserted }
  }

  /// Revokes refresh tokens.
  ///
  /// Each is sent only to the provider that issued it.
  private func revoke(
    _ tokens: [CredentialRecord], at resolved: ResolvedAuthority, _ report: inout SignOutReport
  ) {
    let hosts = context.resolver.environments(of: authority, within: limits)
    var endpoint: Result<String, TesseraError>?
    for token in tokens {
      let own = authority.isEntra ? token.environment.normalised : token.environment
      let problem: TesseraError?
      if !hosts.contains(own) {
        problem = TesseraError(
          .fixRequest, .invalidMember,
          "The token belongs to \(token.environment): pass its authority to revoke it.")
      } else {
        let known = endpoint ?? revocationEndpoint(of: resolved)
        endpoint = known
        problem = revoke(token, at: known, of: resolved)
      }
      report.revocations.append(
        SignOutReport.Revocation(clientID: token.clientID, error: problem))
    }
  }
}

extension SignOutReport {
  /// Counts the removed records.
  mutating func count(_ removedRecords: Set<CacheRecord>) {
    for record in removedRecords {
      switch record {
      case .account: removed.accounts += 1
      case .credential(let token) where token.type.isAccessToken: removed.accessTokens += 1
      case .credential(let token) where token.type.isRefreshToken: removed.refreshTokens += 1
      case .credential: removed.idTokens += 1
      default: continue
      }
    }
  }

  /// Adds the tokens and sessions that remain: in the store, at resource servers and at the provider.
  mutating func addRemaining(
    _ removedRecords: Set<CacheRecord>, _ after: [CacheRecord], _ hosts: [String]?
  ) {
    var others: Set<ExactString> = []
    var expiry: Int64?
    for case .credential(let token) in after where hosts?.contains(token.environment) != false {
      if token.familyID == nil { others.insert(token.clientID) }
      if token.familyID != nil { remaining.append(LeftoverToken(.familyToken)) }
    }
    for clientID in others.sorted() {
      var remainder = LeftoverToken(.otherApplication)
      remainder.clientID = clientID.text
      remaining.append(remainder)
    }
    for token in removedRecords.compactMap(\.accessToken) {
      expiry = max(expiry ?? 0, token.expiresAt?.secondsSince1970 ?? 0)
    }
    if let expiry {
      var remainder = LeftoverToken(.handedOutTokens)
      remainder.expiresOn = expiry
      remaining.append(remainder)
    }
    let isRevoked = !revocations.isEmpty && revocations.allSatisfy { $0.error == nil }
    if removed.refreshTokens > 0, !isRevoked { remaining.append(LeftoverToken(.unrevokedTokens)) }
    remaining.append(LeftoverToken(.browserSession))
  }
}

extension SignOutFlow {
  /// Revokes a refresh token.
  ///
  /// - Returns: `nil` on success, or the reason why the token was not revoked.
  func revoke(
    _ token: CredentialRecord, at endpoint: Result<String, TesseraError>,
    of resolved: ResolvedAuthority
  ) -> TesseraError? {
    do throws(TesseraError) {
      let endpoint = try endpoint.get()
      var message = RevocationRequest(refreshToken: token.secret, clientID: token.clientID)
      // The tokens of other applications belong to public clients, as far as this one knows.
      if token.clientID.normalised == context.configuration.clientID.normalised {
        let subject = AuthenticatedRequest(
          clientID: token.clientID, endpoint: endpoint, authority: resolved, claims: nil,
          correlationID: serverClient.correlationID)
        message.authentication = try context.dependencies.authenticator?.credential(for: subject)
          .authentication
      }
      try serverClient.sendWithoutContent(message.httpRequest(to: endpoint), to: authority)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the revocation endpoint for all tokens of a sign-out, or the reason why there is none.
  func revocationEndpoint(of resolved: ResolvedAuthority) -> Result<String, TesseraError> {
    do throws(TesseraError) {
      return .success(try findRevocationEndpoint(of: resolved))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the revocation endpoint of the OpenID document, or else of the RFC 8414 metadata.
  ///
  /// - Throws: `flow_unsupported` if neither has one; `issuer_mismatch` for metadata of a different issuer.
  private func findRevocationEndpoint(
    of resolved: ResolvedAuthority
  ) throws(TesseraError) -> String {
    if let endpoint = resolved.configuration.revocationEndpoint { return endpoint }
    // Microsoft authorities publish no RFC 8414 metadata.
    if let url = authority.serverMetadataURL,
      let json = try serverMetadata(at: url),
      let endpoint = try checked(json, resolved).revocationEndpoint
    {
      return endpoint
    }
    throw TesseraError(
      .fixConfiguration, .flowUnsupported, "\(authority.text) does not support token revocation.")
  }

  /// Fetches the RFC 8414 metadata; returns `nil` if the provider has none.
  private func serverMetadata(at url: String) throws(TesseraError) -> JSONObject? {
    do throws(TesseraError) {
      switch try serverClient.send(.get(url), to: authority) {
      case .success(let document): return document.json
      case .errorResponse(let errorResponse) where errorResponse.isTemporary:
        throw TesseraError(errorResponse, correlationID: serverClient.correlationID)
      case .errorResponse: return nil
      }
    } catch {
      // Some servers return an HTML page for unknown paths.
      guard error.code == .invalidResponse else { throw error }
      return nil
    }
  }

  /// Validates the metadata like an OpenID document: issuer, https and hosts of the endpoints.
  private func checked(
    _ json: JSONObject, _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> OpenIDConfiguration {
    let configuration = try TesseraError.wrapping { () throws(WireError) in
      try OpenIDConfiguration(json)
    }
    return try ResolvedAuthority(authority, configuration, cloud: resolved.cloud).configuration
  }
}

extension Authority {
  /// The URL of the authorization server metadata; `nil` for Microsoft authorities.
  ///
  /// RFC 8414 section 3.1: the well-known path is inserted between the host and the path of the issuer.
  fileprivate var serverMetadataURL: String? {
    guard case .openID(let issuer) = kind, let origin = WebURL(issuer)?.origin,
      issuer.utf8.count >= origin.utf8.count
    else { return nil }
    let path = "/" + address.pathSegments.joined(separator: "/")
    return origin + "/.well-known/oauth-authorization-server" + (path == "/" ? "" : path)
  }
}

/// The removal of an account of the application from the store.
struct AccountRemoval {
  private let context: FlowContext
  private let limits: CallLimits
  private let directory: AccountDirectory

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
    directory = AccountDirectory(context, within: limits)
  }

  /// Removes an account.
  ///
  /// - Returns: Whether the account was signed in.
  func remove(_ listed: Account) throws(TesseraError) -> Bool {
    try context.metrics.measure(.removeAccount) { () throws(TesseraError) in
      try removeCurrent(listed)
    }
  }

  private func removeCurrent(_ listed: Account) throws(TesseraError) -> Bool {
    let stored = try directory.stored(listed.homeAccountID)
    let account = stored.current(listed)
    try remove(account, from: stored)
    return stored.accounts.contains {
      $0.homeAccountID == account.homeAccountID
        && AccountKey.isSameCloud($0.environment, account.environment)
        && (!account.homeAccountID.isEmpty || $0.username == account.username)
    }
  }

  /// Removes the account that matches a request.
  ///
  /// - Returns: Whether the account was signed in.
  func remove(_ request: AccountsRequest) throws(TesseraError) -> Bool {
    try context.metrics.measure(.removeAccount) { () throws(TesseraError) in
      try removeMatching(request)
    }
  }

  private func removeMatching(_ request: AccountsRequest) throws(TesseraError) -> Bool {
    try request.check()
    let stored = try directory.stored(request.homeAccountID)
    let found = stored.accounts.filter(request.matches)
    // An account that does not exist is not an error: the call is idempotent.
    guard !found.isEmpty else { return false }
    try remove(directory.onlyAccount(of: found), from: stored)
    return true
  }

  private func remove(_ account: Account, from stored: StoredAccounts) throws(TesseraError) {
    let signOut = CacheChange.SignOut(
      of: account, at: context.configuration.clientID,
      legacyNames: stored.legacyNames(of: account))
    try context.cache.commitOrThrow(CacheChange([.signOut(signOut)]), within: limits)
  }
}
