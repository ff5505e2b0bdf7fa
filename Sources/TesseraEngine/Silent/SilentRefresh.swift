// SPDX-License-Identifier: MIT
// The refresh of a silent call.

package import TesseraCache
package import TesseraWire

/// The refresh of a token.
struct SilentRefresh {
  /// The maximum number of tokens that one call redeems for a user.
  ///
  /// The limit exceeds the number of tokens that ADAL stores for an application and its family, and bounds the
  /// duration.
  private static let maximumTokens = 16

  /// The progress of a refresh over several refresh tokens.
  private struct RefreshProgress {
    var rejection: TesseraError?
    var rejected: Set<Secret> = []
    /// The authority with its endpoints, once a request is necessary.
    var resolved: ResolvedAuthority?
    /// The access token to be refreshed, which is still usable.
    var fallback: Secret?

    /// Adds a rejection, whose cause is the earlier one.
    mutating func reject(_ token: Secret, _ error: TesseraError) {
      rejection = rejection.map { error.caused(by: $0) } ?? error
      rejected.insert(token)
    }

    /// The error if no refresh token was accepted.
    var failure: TesseraError {
      rejection
        ?? TesseraError(
          .signIn, .interactionRequired, "No refresh token could be redeemed: sign in.")
    }
  }

  /// The result of a refresh under one lock.
  private enum Outcome {
    case result(SilentResult)
    /// The next token requires a different lock.
    case needsLock(CredentialLock)
    /// Another process has redeemed the token of an older library, for this account.
    case alreadyRedeemed(homeAccountID: String)
    /// Another process is refreshing this credential, and the caller need not wait.
    case busy
  }

  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Refreshes the token.
  ///
  /// A failure is recorded before the lock is released.
  func refresh(
    _ tokens: [CredentialRecord], _ fallback: CachedToken?, _ reason: RefreshReason,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    let prepared = call.prepared(for: reason)
    let fallbacks = SilentFallback(call)
    do throws(TesseraError) {
      if let result = try SilentRefresh(prepared).refresh(with: tokens, reason, snapshot) {
        return try fallbacks.preferring(fallback, over: result, snapshot)
      }
    } catch {
      return try fallbacks.fallBack(on: fallback, snapshot, because: error)
    }
    // The other refresh will finish soon: check again in one second.
    let busy = TesseraError(
      .retryLater, .storeBusy, "Another call is refreshing this token: try again.")
    return try fallbacks.fallBack(on: fallback, snapshot, because: busy, forSeconds: 1)
  }

  /// Tries the refresh tokens, each under its own lock: the application's own, then those of its family.
  ///
  /// - Returns: `nil` if another process is refreshing and the caller need not wait.
  private func refresh(
    with tokens: [CredentialRecord], _ reason: RefreshReason, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    var progress = RefreshProgress()
    // The environment of the resolved authority, unless a discovery request is necessary.
    let environment = call.environments.first ?? ""
    var next = tokens.first.map { lock(of: $0, call.inputs(snapshot), environment) }
    for _ in 0..<maximumAttempts {
      guard let lock = next else { break }
      let outcome = try withRefreshLock(lock, reason) { reservation throws(TesseraError) in
        try SilentThrottles(call).recordingFailure(reason, snapshot) { () throws(TesseraError) in
          try reservation.get()
          return try refresh(under: lock, &progress)
        }
      }
      switch outcome {
      case .result(let result): return result
      case .needsLock(let lock): next = lock
      case .alreadyRedeemed(let homeAccountID):
        // The refresh of that account takes its own lock.
        let call = self.call.changing { call in
          call.homeAccountID = homeAccountID
          call.legacySearch = nil
        }
        return try SilentFlow(call).run()
      case .busy: return nil
      }
    }
    throw progress.failure
  }

  /// Runs `body` under a lock.
  ///
  /// An optional refresh does not wait for the lock.
  private func withRefreshLock(
    _ lock: CredentialLock, _ reason: RefreshReason,
    _ body: (Result<Void, TesseraError>) throws(TesseraError) -> Outcome
  ) throws(TesseraError) -> Outcome {
    let lockLimits =
      reason.isOptional ? call.limits.atMost(milliseconds: 0, call.time) : call.limits
    var hasLock = false
    do throws(TesseraError) {
      return try call.context.cache.withRefreshLock(
        on: lock, within: lockLimits, reservingWithin: call.serverClient.limits
      ) { reservation throws(TesseraError) in
        hasLock = true
        return try body(reservation)
      }
    } catch {
      guard !hasLock, reason.isOptional, error.code == .storeBusy else { throw error }
      return .busy
    }
  }

  /// Repeats the decision under the lock, and redeems a token if that is still necessary.
  private func refresh(
    under lock: CredentialLock, _ progress: inout RefreshProgress
  ) throws(TesseraError) -> Outcome {
    // Retry after a rejection, because another process may have stored a different token.
    for _ in 0..<maximumAttempts {
      let snapshot = try snapshot()
      let inputs = call.inputs(snapshot)
      let plan = SilentPlan(inputs)
      if case .useCached(let token) = plan {
        // Only the token that was to be refreshed is left, and it cannot be refreshed.
        if let rejection = progress.rejection, token.accessToken.secret == progress.fallback {
          throw rejection
        }
        return .result(adopted(token, snapshot, savingRequest: progress.rejection == nil))
      }
      if case .backOff(let record, _) = plan {
        if progress.rejection == nil, let granted = SilentFallback(call).grantedToken(record) {
          return .result(granted)
        }
        throw progress.rejection ?? call.recordedError(record)
      }
      guard progress.rejected.count < SilentRefresh.maximumTokens,
        case .refresh(let tokens, let valid, let reason) = plan,
        let token = tokens.first(where: { !progress.rejected.contains($0.secret) })
      else { throw progress.failure }
      let resolved = try resolved(in: snapshot, &progress)
      let needed = self.lock(of: token, inputs, resolved.environment)
      guard needed == lock else { return .needsLock(needed) }
      if call.homeAccountID.isEmpty, let item = inputs.legacyItem(with: token.secret),
        item.upgrade != nil, let homeAccountID = item.homeAccountID
      {
        return .alreadyRedeemed(homeAccountID: homeAccountID)
      }
      progress.fallback = valid?.accessToken.secret
      try call.serverClient.limits.check(call.time)
      call.context.dependencies.log.write(.information, "Refreshing: \(reason.rawValue)")
      if let result = try redeem(token, resolved, snapshot, &progress) { return .result(result) }
    }
    throw progress.failure
  }

  /// Returns the token that another process or thread has stored in the meantime.
  private func adopted(
    _ token: CachedToken, _ snapshot: CacheSnapshot, savingRequest: Bool
  ) -> SilentResult {
    if savingRequest { call.context.metrics.count(.refreshesAdopted) }
    return call.result(for: token, snapshot)
  }

  /// Returns the records of the call, with those of its authority.
  private func snapshot() throws(TesseraError) -> CacheSnapshot {
    var selection = call.selection
    if let key = call.context.resolver.unreadKey(of: call.authority) { selection.keys.append(key) }
    return try call.context.cache.snapshot(selection, within: call.serverClient.limits)
  }

  /// Resolves the authority, once.
  private func resolved(
    in snapshot: CacheSnapshot, _ progress: inout RefreshProgress
  ) throws(TesseraError) -> ResolvedAuthority {
    if let resolved = progress.resolved { return resolved }
    let resolved = try call.context.resolver.resolve(
      call.authority, call.serverClient, in: snapshot)
    progress.resolved = resolved
    return resolved
  }

  /// Redeems a refresh token; returns `nil` if the server rejects it.
  private func redeem(
    _ token: CredentialRecord, _ resolved: ResolvedAuthority, _ snapshot: CacheSnapshot,
    _ progress: inout RefreshProgress
  ) throws(TesseraError) -> SilentResult? {
    var tokenRequest = TokenRequest(
      grant: .refreshToken(token.secret), clientID: call.context.configuration.clientID,
      scopes: call.scopes.union(call.context.configuration.refreshScopes), claims: call.claims,
      requestsClientInfo: call.authority.isEntra)
    tokenRequest.enrollmentID = call.enrollmentID(in: snapshot)
    let began = call.time.bootTime
    var serverClient = call.serverClient
    serverClient.homeAccountID = call.homeAccountID.nonBlank
    let outcome = try serverClient.redeem(
      tokenRequest.adding(call.extras), at: resolved.tokenEndpoint(in: call.inputs(snapshot).realm),
      of: resolved)
    switch outcome {
    case .success(let document):
      do throws(TesseraError) {
        return try RefreshedTokens(call).store(
          document, resolved, redeemed: token, before: snapshot, beganAt: began)
      } catch {
        // Several users may have had the name in an older library.
        guard call.legacySearch != nil, error.code == .accountMismatch else { throw error }
        progress.reject(token.secret, error)
      }
    case .errorResponse(let errorResponse):
      progress.reject(
        token.secret,
        try RejectedRefreshToken(call).rejectionError(errorResponse, token, resolved, snapshot))
    }
    return nil
  }

  /// The maximum number of locks, and of attempts under each.
  ///
  /// An older library may have left a token for each tenant and resource.
  private var maximumAttempts: Int { call.legacySearch == nil ? 3 : SilentRefresh.maximumTokens }

  /// Returns the lock of a refresh token.
  private func lock(
    of token: CredentialRecord, _ inputs: SilentInputs, _ environment: String
  ) -> CredentialLock {
    call.importedName(of: token) == nil
      ? CredentialLock(
        environment: environment, owner: inputs.lockOwner(of: token),
        homeAccountID: call.homeAccountID)
      : CredentialLock(
        environment: environment, owner: "legacy", homeAccountID: token.homeAccountID)
  }
}

/// The tokens of a refresh.
struct RefreshedTokens {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Stores a token response.
  ///
  /// The new refresh token is durable before the access token is returned.
  func store(
    _ document: ReceivedDocument, _ resolved: ResolvedAuthority, redeemed: CredentialRecord,
    before: CacheSnapshot, beganAt: BootTime?
  ) throws(TesseraError) -> SilentResult {
    let isImported = call.importedName(of: redeemed) != nil
    let item = isImported ? call.inputs(before).legacyItem(with: redeemed.secret) : nil
    var tokenRecords: TokenResponseRecords
    do throws(TesseraError) {
      tokenRecords = try TokenResponseRecords(
        document,
        call.context.expectation(
          of: resolved, call.scopes, homeAccountID: item == nil ? call.homeAccountID : nil))
    } catch {
      RejectedRefreshToken(call).recordReplacement(of: redeemed, by: document.json, before)
      throw error
    }
    if let item {
      try call.legacySearch?.checkOwner(of: tokenRecords, item, document.json, call)
    }
    tokenRecords.beganAt = beganAt
    let steps = call.stored(tokenRecords, from: resolved).steps
    var change = CacheChange([.renew(redeemed, steps)])
    if let item {
      let replaced = before.credentials.filter(\.type.isRefreshToken).map(\.secret)
      change.steps = [
        .upgrade(
          name: item.userID, redeemed.secret,
          homeAccountID: tokenRecords.identity.homeAccountID, steps, replacing: Set(replaced))
      ]
    }
    let throttles = SilentThrottles(call)
    if let step = throttles.removalStep(before, redeemed.secret) { change.steps.append(step) }
    let result = try call.context.store(change, tokenRecords, from: resolved, call.scopes, before)
    throttles.recordDeclinedScopes(
      of: result, tokenRecords.response.refreshToken ?? redeemed.secret)
    return SilentResult(result: result, validity: nil)
  }
}

/// The effects of a rejection on the store and on later requests.
struct RejectedRefreshToken {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Returns the error for a rejected refresh token, or throws it if another token would not help.
  func rejectionError(
    _ errorResponse: ServerError, _ token: CredentialRecord, _ resolved: ResolvedAuthority,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> TesseraError {
    let error = TesseraError(
      ofRefreshToken: errorResponse, correlationID: call.serverClient.correlationID
    )
    .withAppProtectionDetails(call.authority, call.homeAccountID)
    let name = call.importedName(of: token)
    let isFinal = name == nil ? removes(errorResponse) : errorResponse.isFinalForLegacyToken
    let isDeleted = name == nil && isDeleted(errorResponse)
    let seconds = ThrottleRule.rejectionSeconds(after: error)
    if seconds > 0, !isFinal, !isDeleted {
      SilentThrottles(call).record(
        error, as: call.throttleKey.name(redeeming: token.secret), forSeconds: seconds)
    }
    guard error.remedy == .signIn else { throw error }
    var change = CacheChange()
    if isFinal, let name {
      change.steps.append(.legacy(name: name, .retire(token.secret)))
    } else if isFinal {
      let copies = snapshot.credentials.filter { $0.secret == token.secret }
      change.steps += copies.map(CacheChange.Step.removeIfUnchanged)
    }
    if errorResponse.suberror == "client_mismatch", isOfFamily(token) {
      change.steps += familyRemovalSteps(snapshot, resolved)
    }
    if isDeleted {
      change.steps = [
        .signOut(
          CacheChange.SignOut(
            homeAccountID: call.homeAccountID, clientID: call.context.configuration.clientID,
            environments: call.environments, isEntra: call.authority.isEntra))
      ]
    }
    if !change.steps.isEmpty {
      _ = call.context.cache.commit(change, within: call.serverClient.limits)
    }
    return error
  }

  /// Returns whether the token belongs to a token family, which may not include this application.
  private func isOfFamily(_ token: CredentialRecord) -> Bool {
    token.familyID != nil
      || token.clientID.normalised != call.context.configuration.clientID.normalised
  }

  /// Returns the changes that record that the application is not in a family, for each host of its cloud.
  private func familyRemovalSteps(
    _ snapshot: CacheSnapshot, _ resolved: ResolvedAuthority
  ) -> [CacheChange.Step] {
    let clientID = call.context.configuration.clientID
    let known = snapshot.appMetadata.filter { $0.clientID.normalised == clientID.normalised }
    return Set(known.map(\.environment) + [resolved.environment]).sorted().map { environment in
      .put(
        .appMetadata(
          AppMetadataRecord(clientID: clientID, environment: environment, familyID: "")))
    }
  }

  /// Records that a response that failed validation replaced a refresh token, in every record that has the token.
  ///
  /// The new token is stored with the old one as unverified.
  ///
  /// From then on, no process sends either of them. The user must sign in again, which stores new tokens.
  func recordReplacement(
    of redeemed: CredentialRecord, by response: JSONObject, _ before: CacheSnapshot
  ) {
    guard
      case .replaced(let successor) = RefreshTokenDisposition(
        sent: redeemed.secret, response: response)
    else { return }
    if let name = call.importedName(of: redeemed) {
      // The token is retired, so that it is not imported again.
      call.context.commitWithOwnTimeout(
        CacheChange([.legacy(name: name, .supersede(redeemed.secret, by: successor))]))
      return
    }
    let copies = before.credentials.filter {
      $0.type.isRefreshToken && $0.secret == redeemed.secret
    }
    call.context.commitWithOwnTimeout(
      CacheChange(
        copies.map { .renew($0, [.put(.credential($0.superseded(by: successor)))]) }))
  }

  /// Returns whether the account was deleted, so that all its stored records are useless to the application.
  private func isDeleted(_ errorResponse: ServerError) -> Bool {
    call.authority.isEntra && errorResponse.error == "invalid_grant"
      && errorResponse.suberror == "user_account_deleted"
  }

  /// Returns whether a refresh token is invalid: `bad_token` from Entra, or `invalid_grant` from others.
  private func removes(_ errorResponse: ServerError) -> Bool {
    errorResponse.suberror == "bad_token"
      || !call.authority.isEntra && errorResponse.error == "invalid_grant"
  }
}

extension ServerError {
  /// Whether the server will never accept this refresh token of an older library again.
  ///
  /// Entra returns the suberror `bad_token` or an AADSTS code: 70008 and 700082 (inactive), 700081 and 700084 (too
  /// old), or 50173 (revoked, for example by a password change). 70043 is not final, because sign-in frequency is set
  /// per resource.
  ///
  /// After any other error, the token may still be accepted for another scope or later.
  fileprivate var isFinalForLegacyToken: Bool {
    let final: Set<Int64> = [50_173, 70_008, 700_081, 700_082, 700_084]
    return error == "invalid_grant"
      && (suberror == "bad_token" || !final.isDisjoint(with: serverCodes))
  }
}

/// The state of a refresh token after its token response failed validation.
///
/// The response is not trusted, for example because another issuer signed its ID token. A server that rotates refresh tokens
/// has nevertheless invalidated the old one. If it receives the old token again, it may revoke the whole grant.
package enum RefreshTokenDisposition: Equatable, Sendable {
  /// The server kept the token: the response has no refresh token, or the same one.
  case kept
  /// The response has a different refresh token, which is unverified; `nil` for a malformed one.
  case replaced(by: Secret?)

  /// Compares the redeemed token with the one in the response.
  package init(sent: Secret, response: JSONObject) {
    do throws(WireError) {
      let token = try TokenResponse.token(response, "refresh_token")
      self = token == nil || token == sent ? .kept : .replaced(by: token)
    } catch {
      self = .replaced(by: nil)
    }
  }
}

/// The recorded failures of a silent request.
package struct SilentThrottles {
  private let call: SilentContext

  package init(_ call: SilentContext) { self.call = call }

  /// Returns the step that removes the failures of this request after a success; `nil` if there are none.
  func removalStep(
    _ snapshot: CacheSnapshot, _ redeemed: Secret
  ) -> CacheChange.Step? {
    let throttles = call.throttles(snapshot)
    guard !throttles.isEmpty else { return nil }
    let names: Set<String> = [call.throttleKey.name, call.throttleKey.name(redeeming: redeemed)]
    guard throttles.contains(where: { names.contains($0.name) }) else { return nil }
    call.context.throttles.removeRecords(of: call.throttleOwner, names: names)
    return .removeThrottles(
      homeAccountID: call.throttleOwner, clientID: call.context.configuration.clientID, names: names
    )
  }

  /// Runs a part of a refresh, and records a failure that must not be retried at once.
  func recordingFailure<Value>(
    _ reason: RefreshReason, _ snapshot: CacheSnapshot, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(TesseraError) {
      return try body()
    } catch {
      recordFailure(error, reason, snapshot)
      throw error
    }
  }

  private func recordFailure(
    _ error: TesseraError, _ reason: RefreshReason, _ snapshot: CacheSnapshot
  ) {
    guard !error.isRecorded, ![.cancelled, .stackTooSmall].contains(error.code) else { return }
    // A caller with a zero or short timeout learned nothing about the server.
    if error.code == .deadlineExceeded, call.limits.nanosecondsLeft(call.time) == 0 { return }
    let name = call.throttleKey.name
    let last = call.throttles(snapshot).first {
      $0.name == name && !$0.hasExpired(at: call.time.clocks)
    }
    let failures = last?.failures ?? 0
    record(
      error, as: name, forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
      backoffSeconds: reason.isOptional
        ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
      failures: failures &+ 1)
  }

  /// Records that this request must not be sent for some time.
  package func record(
    _ error: TesseraError, as name: String, forSeconds seconds: Int64, backoffSeconds: Int64 = 0,
    failures: Int64 = 1
  ) {
    call.context.recordThrottle(
      error, as: (name, call.throttleOwner), forSeconds: seconds, backoffSeconds: backoffSeconds,
      failures: failures)
  }

  /// Throttles requests with declined scopes, because the server would decline them again.
  func recordDeclinedScopes(of result: TokenResult, _ token: Secret) {
    call.context.recordDeclinedScopes(
      of: result, as: (call.throttleKey.name(redeeming: token), call.throttleOwner))
  }
}

/// Finds the refresh tokens that were imported from older libraries.
package protocol ImportedTokens: Feature {
  /// Returns the search for the user; `nil` if no cache was imported or the request identifies no user.
  func search(
    _ call: SilentContext, _ known: CacheSnapshot
  ) throws(TesseraError) -> (any ImportedTokenSearch)?

  /// Throws if the items belong to different users with the same user name.
  func checkSingleUser(_ items: [LegacyItem], of call: SilentContext) throws(TesseraError)
}

/// The search for the imported refresh tokens of one user.
package protocol ImportedTokenSearch: Sendable {
  /// The keys of the records to search.
  var keys: [RecordKey] { get }

  /// Returns the items in a snapshot that may be redeemed, in order of preference.
  func items(_ inputs: SilentInputs) -> [LegacyItem]

  /// Throws an error if the tokens of a response belong to a different account than the redeemed item.
  func checkOwner(
    of tokenRecords: TokenResponseRecords, _ item: LegacyItem, _ response: JSONObject,
    _ call: SilentContext
  ) throws(TesseraError)
}

/// The refresh tokens that older libraries left for the user of a silent request.
struct LegacyTokens {
  private let call: SilentContext
  private let importedTokens: (any ImportedTokens)?

  init(_ call: SilentContext) {
    self.call = call
    importedTokens = call.context.dependencies.feature((any ImportedTokens).self)
  }

  /// Acquires a token with a refresh token of an older library; returns `nil` if the user has no usable one.
  func token(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult? {
    guard let (call, inputs) = try searched(inputs), let items = inputs.legacyItems, !items.isEmpty
    else {
      return nil
    }
    try importedTokens?.checkSingleUser(items, of: call)
    if let record = inputs.activeThrottle(.missing) { throw call.recordedError(record) }
    return try SilentRefresh(call).refresh(inputs.refreshTokens, nil, .missing, inputs.snapshot)
  }

  /// Runs `attempt`.
  ///
  /// If it fails because a sign-in is required, tries the tokens of older libraries, which may be newer.
  func token(
    unless attempt: () throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      return try attempt()
    } catch {
      guard error.permitsLegacyTokens,
        let snapshot = try? call.context.cache.snapshot(call.selection, within: call.limits)
      else { throw error }
      do throws(TesseraError) {
        if let result = try token(call.inputs(snapshot)) { return result }
      } catch let later {
        // The original error takes precedence, unless the later one does not require a sign-in.
        if later.remedy != .signIn { throw later }
      }
      throw error
    }
  }

  /// Returns whether an older library left a usable refresh token of this user.
  func exist(_ inputs: SilentInputs) throws(TesseraError) -> Bool {
    try searched(inputs)?.inputs.refreshTokens.isEmpty == false
  }

  /// Returns the call and its inputs with the tokens of older libraries; `nil` if the call must not use them.
  private func searched(
    _ known: SilentInputs
  ) throws(TesseraError) -> (call: SilentContext, inputs: SilentInputs)? {
    guard self.call.authority.isEntra, !self.call.request.isForApplication, !known.isSignedOut,
      let search = try importedTokens?.search(self.call, known.snapshot)
    else { return nil }
    let call = self.call.changing { $0.legacySearch = search }
    return (call, call.inputs(try call.context.cache.snapshot(call.selection, within: call.limits)))
  }
}

extension TesseraError {
  /// Whether a token of an older library is tried after this error of a silent call.
  ///
  /// The server would decline the same scopes again.
  var permitsLegacyTokens: Bool { remedy == .signIn && code != .serverDeclinedScopes }
}
