// SPDX-License-Identifier: MIT
// The silent flow: a snapshot, a decision; if that is to refresh, exchanges under the credential's lock, and a commit.

import TesseraCache
import TesseraWire

/// One call for a token without asking the user.
struct SilentFlow {
  private let application: PublicClientApplication
  private let request: SilentRequest
  private let scopes: Scopes
  private let authority: Authority
  private let homeAccountID: String
  private let environments: [String]
  private let exchange: Exchange
  /// When a forced refresh was asked for.
  private let forcedAt: MachineMoment?

  /// Checks the request.
  init(
    _ application: PublicClientApplication, _ request: SilentRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) {
    self.application = application
    self.request = request
    scopes = try RequestRules.scopes(request.scopes)
    authority = try application.authority(named: request.authority)
    homeAccountID = authority.normalised(request.homeAccountID)
    guard !homeAccountID.isEmpty else {
      throw TesseraError(.fixRequest, .invalidMember, "home_account_id is empty.")
    }
    try RequestRules.claims(request.claims)
    let surroundings = application.surroundings
    exchange = Exchange(
      surroundings,
      limits: CallLimits(
        timeoutMilliseconds: request.timeoutMilliseconds, cancellation: cancellation,
        time: surroundings.time),
      correlationID: request.correlationID)
    forcedAt = request.forcesRefresh ? surroundings.time.moment : nil
    environments = application.resolver.environments(of: authority, within: exchange.limits)
  }

  /// Gets the token.
  func run() throws(TesseraError) -> SilentAnswer {
    // The deadline is for waiting: a token that is there is handed out without.
    if exchange.limits.cancellation?.isCancelled == true { throw .cancelled() }
    let snapshot = try application.cache.snapshot(selection, within: exchange.limits)
    switch SilentPlan(inputs(snapshot)) {
    case .use(let token): return answer(token, snapshot)
    case .signIn(let reason): throw TesseraError(absence: snapshot.condition, reason)
    case .refresh(let tokens, let fallback, _):
      do throws(TesseraError) {
        return try refresh(with: tokens, application.resolver.resolve(authority, exchange))
      } catch {
        guard let fallback else { throw error }
        return try fallBack(on: fallback, snapshot, because: error)
      }
    }
  }

  /// What became of the refresh tokens so far.
  private struct Progress {
    var refusal = TesseraError(.signIn, .interactionRequired, "No refresh token could be used.")
    var refused: Set<Secret> = []
  }

  /// What came of a refresh under one lock.
  private enum Outcome {
    case answer(SilentAnswer)
    /// The next token to try has another lock.
    case needsLock(of: CredentialRecord)
  }

  /// Refreshes, each token under its own lock: the application's, then its family's.
  private func refresh(
    with tokens: [CredentialRecord], _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> SilentAnswer {
    var progress = Progress()
    var next = tokens.first
    for _ in 0..<3 {
      guard let token = next else { break }
      let lock = lock(of: token, resolved)
      let outcome = try application.cache.withLock(on: lock, within: exchange.limits) {
        () throws(TesseraError) in try refresh(under: lock, resolved, &progress)
      }
      switch outcome {
      case .answer(let answer): return answer
      case .needsLock(let token): next = token
      }
    }
    throw progress.refusal
  }

  /// Decides again, now that nobody else refreshes this credential, and exchanges if it is still necessary.
  private func refresh(
    under lock: CredentialLock, _ resolved: ResolvedAuthority, _ progress: inout Progress
  ) throws(TesseraError) -> Outcome {
    try application.cache.prove(within: exchange.limits)
    // Again after a refusal: somebody may have stored another token meanwhile.
    for _ in 0..<3 {
      let snapshot = try application.cache.snapshot(selection, within: exchange.limits)
      let plan = SilentPlan(inputs(snapshot))
      if case .use(let token) = plan { return .answer(answer(token, snapshot)) }
      guard case .refresh(let tokens, _, let reason) = plan,
        let token = tokens.first(where: { !progress.refused.contains($0.secret) })
      else { throw progress.refusal }
      guard self.lock(of: token, resolved) == lock else { return .needsLock(of: token) }
      application.surroundings.log.write(.information, "Refreshing: \(reason.rawValue)")
      let began = application.surroundings.time.moment
      switch try redeem(token, resolved) {
      case .success(let json):
        return .answer(
          try store(json, resolved, redeemed: token, before: snapshot, beganAt: began))
      case .refusal(let error):
        progress.refusal = try failure(error, token, resolved, snapshot)
      }
      progress.refused.insert(token.secret)
    }
    throw progress.refusal
  }

  private func redeem(
    _ token: CredentialRecord, _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> Exchange.Answer {
    let tokenRequest = TokenRequest(
      grant: .refreshToken(token.secret), clientID: application.configuration.clientID,
      scopes: scopes.union(.reserved), claims: request.claims, asksForClientInfo: authority.isEntra)
    return try exchange.send(
      tokenRequest.httpRequest(to: resolved.configuration.tokenEndpoint), to: authority)
  }

  /// What a refusal means for the refresh token; throws at once when another token would not help.
  private func failure(
    _ refusal: ServerError, _ token: CredentialRecord, _ resolved: ResolvedAuthority,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> TesseraError {
    var error = TesseraError(refusal, correlationID: exchange.correlationID)
    // Nobody was asked, so nobody declined: what is wrong with a refresh token, a new sign-in settles (MSAL for Apple).
    if [.accessDenied, .requestRejected].contains(error.code) {
      error.remedy = .signIn
      error.code = .interactionRequired
    }
    guard error.remedy == .signIn else { throw error }
    var change = CacheChange()
    // Entra says bad_token when the token is of no use any more; elsewhere invalid_grant says so by itself.
    if refusal.suberror == "bad_token" || !authority.isEntra && refusal.error == "invalid_grant" {
      let copies = snapshot.credentials.filter { $0.secret == token.secret }
      change.steps += copies.map(CacheChange.Step.removeIfUnchanged)
    }
    if refusal.suberror == "client_mismatch", token.familyID != nil {
      let metadata = AppMetadataRecord(
        clientID: application.configuration.clientID, environment: resolved.environment,
        familyID: "")
      change.steps.append(.put(.appMetadata(metadata)))
    }
    if !change.steps.isEmpty { _ = application.cache.commit(change, within: exchange.limits) }
    return error
  }

  private func store(
    _ json: JSONObject, _ resolved: ResolvedAuthority, redeemed: CredentialRecord,
    before: CacheSnapshot, beganAt: MachineMoment?
  ) throws(TesseraError) -> SilentAnswer {
    var receipt: TokenReceipt
    do throws(TesseraError) {
      receipt = try TokenReceipt(
        json,
        TokenExpectation(
          authority: resolved, clientID: application.configuration.clientID, scopes: scopes,
          homeAccountID: homeAccountID),
        at: application.surroundings.time.now)
    } catch {
      keepRefreshToken(of: json, redeemed, unless: error)
      throw error
    }
    receipt.beganAt = beganAt
    let change = CacheChange([.renew(redeemed, receipt.change(from: resolved).steps)])
    var result = try application.store(change, receipt, from: resolved, scopes, before)
    if result.isPersisted, isGone(redeemed) {
      result.isPersisted = false
      result.warnings.append("The account signed out while its token was being refreshed.")
    }
    return SilentAnswer(result: result, truth: nil)
  }

  /// Whether a credential is not in the store any more: somebody signed the account out.
  private func isGone(_ record: CredentialRecord) -> Bool {
    var selection = SnapshotSelection()
    selection.keys = [record.key]
    return (try? application.cache.snapshot(selection, within: .none))?.records.isEmpty == true
  }

  /// A response that is refused may have replaced the refresh token all the same: the old one is spent, the new one is not.
  private func keepRefreshToken(
    of json: JSONObject, _ redeemed: CredentialRecord, unless error: TesseraError
  ) {
    guard error.code != .accountMismatch,
      let token = try? TokenResponse.token(json, "refresh_token")
    else { return }
    var renewed = redeemed
    renewed["secret"] = token.reveal()
    application.keep(CacheChange([.renew(redeemed, [.put(.credential(renewed))])]))
  }

  private func answer(_ token: CachedToken, _ snapshot: CacheSnapshot) -> SilentAnswer {
    let record = token.accessToken
    let accounts = AccountList.merged(
      snapshot.accounts.filter {
        $0.homeAccountID == record.homeAccountID
          && environments.contains(authority.isEntra ? $0.environment.normalised : $0.environment)
      })
    let account =
      accounts.first
      ?? Account(
        homeAccountID: record.homeAccountID, environment: record.environment, username: nil,
        name: nil, tenantProfiles: [])
    let realm = record.realm ?? ""
    let result = TokenResult(
      accessToken: record, idToken: token.idToken, account: account,
      authority: authority.isEntra && !realm.isEmpty
        ? "\(authority.address.origin)/\(realm)" : authority.text,
      source: .cache)
    let truth = snapshot.version.map { version in
      AnswerTruth(
        version,
        from: record.cachedAt?.adding(seconds: -60) ?? application.surroundings.time.now,
        until: token.usableUntil)
    }
    return SilentAnswer(result: result, truth: truth)
  }

  /// A token that is still valid is better than an error that has nothing to do with it.
  private func fallBack(
    on token: CachedToken, _ snapshot: CacheSnapshot, because error: TesseraError
  ) throws(TesseraError) -> SilentAnswer {
    // A forced refresh was asked for in so many words, and a stop is a stop.
    guard !request.forcesRefresh, error.code != .cancelled else { throw error }
    var answer = answer(token, snapshot)
    answer.truth = nil
    answer.result.refreshError = error
    return answer
  }
}

extension SilentFlow {
  private var selection: SnapshotSelection {
    let clientID = application.configuration.clientID
    var selection = SnapshotSelection()
    selection.owner = homeAccountID
    selection.scope = scopes.significant.min()
    if authority.isEntra {
      selection.keys = Set(environments).map {
        AppMetadataRecord(clientID: clientID, environment: $0, familyID: "").key
      }
    }
    return selection
  }

  private func inputs(_ snapshot: CacheSnapshot) -> SilentInputs {
    let configuration = application.configuration
    var inputs = SilentInputs(
      homeAccountID: homeAccountID, scopes: scopes, clientID: configuration.clientID,
      environments: environments, isEntra: authority.isEntra,
      realm: authority.realm(
        of: homeAccountID, snapshot.accountMetadata(of: configuration.clientID)),
      snapshot: snapshot, now: application.surroundings.time.now,
      marginSeconds: configuration.expiryMarginSeconds)
    inputs.forcesRefresh = request.forcesRefresh
    inputs.forcedAt = forcedAt
    inputs.hasClaims = request.claims != nil
    return inputs
  }

  /// The lock of a credential that is about to be redeemed: a family has one for all its applications.
  private func lock(of token: CredentialRecord, _ resolved: ResolvedAuthority) -> CredentialLock {
    CredentialLock(
      environment: resolved.environment,
      owner: token.familyID.map { "family \($0)" }
        ?? application.configuration.clientID.normalised,
      homeAccountID: homeAccountID)
  }
}
