// SPDX-License-Identifier: MIT
// The refresh of a silent call: each refresh token under its own lock, and what came of it.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// What became of the refresh tokens so far.
  private struct Progress {
    var refusal: TesseraError?
    var refused: Set<Secret> = []
    /// The access token that was to be refreshed, and that serves as well.
    var fallback: Secret?

    /// Why nothing came of it.
    var failure: TesseraError {
      refusal
        ?? TesseraError(
          .signIn, .interactionRequired, "No refresh token could be used: sign in.")
    }
  }

  /// What came of a refresh under one lock.
  private enum Outcome {
    case answer(SilentResult)
    /// The next token to try has another lock.
    case needsLock(of: CredentialRecord)
    /// Somebody else refreshes it now, and nobody has to wait for that.
    case busy
  }

  /// Refreshes; what goes wrong is remembered before anybody else has the lock.
  func refresh(
    _ tokens: [CredentialRecord], _ fallback: CachedToken?, _ reason: RefreshReason,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    let flow = prepared(for: reason)
    do throws(TesseraError) {
      let resolved = try flow.remembering(reason, snapshot) { () throws(TesseraError) in
        try application.resolver.resolve(authority, flow.exchange)
      }
      if let answer = try flow.refresh(with: tokens, resolved, reason, snapshot) { return answer }
    } catch {
      return try fallBack(on: fallback, snapshot, because: error)
    }
    // Whoever refreshes it now will be done soon: look again in a second.
    let busy = TesseraError(
      .retryLater, .storeBusy, "Another program is refreshing this token at this moment.")
    return try fallBack(on: fallback, snapshot, because: busy, forSeconds: 1)
  }

  /// The flow that asks servers: identified, and with little time if there is a token that serves as well.
  func prepared(for reason: RefreshReason) -> SilentFlow {
    var flow = self
    flow.exchange = exchange.identified()
    flow.exchange.telemetry = application.telemetry(of: .silent, reason.telemetryType)
    if reason.isOptional {
      flow.exchange.limits =
        proactiveLimits
        ?? limits.atMost(
          milliseconds: application.configuration.proactiveRefreshTimeoutMilliseconds, time)
    }
    return flow
  }

  /// Refreshes, each token under its own lock: the application's, then its family's.
  ///
  /// - Returns: nil if somebody else does it now, and nobody has to wait for that.
  private func refresh(
    with tokens: [CredentialRecord], _ resolved: ResolvedAuthority, _ reason: RefreshReason,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    var progress = Progress()
    var next = tokens.first
    for _ in 0..<3 {
      guard let token = next else { break }
      let lock = lock(of: token, resolved)
      let outcome = try alone(with: lock, reason) { () throws(TesseraError) in
        try remembering(reason, snapshot) { () throws(TesseraError) in
          try refresh(under: lock, resolved, &progress)
        }
      }
      switch outcome {
      case .answer(let answer): return answer
      case .needsLock(let token): next = token
      case .busy: return nil
      }
    }
    throw progress.failure
  }

  /// Does something under a lock; a refresh that nobody has to wait for does not wait for others either.
  private func alone(
    with lock: CredentialLock, _ reason: RefreshReason,
    _ body: () throws(TesseraError) -> Outcome
  ) throws(TesseraError) -> Outcome {
    let limits = reason.isOptional ? limits.atMost(milliseconds: 0, time) : limits
    var isAlone = false
    do throws(TesseraError) {
      return try application.cache.withLock(on: lock, within: limits) {
        () throws(TesseraError) in
        isAlone = true
        return try body()
      }
    } catch {
      guard !isAlone, reason.isOptional, error.code == .storeBusy else { throw error }
      return .busy
    }
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
      if case .use(let token) = plan {
        // The token that was to be refreshed, and that nothing refreshes any more.
        if let refusal = progress.refusal, token.accessToken.secret == progress.fallback {
          throw refusal
        }
        return .answer(answer(token, snapshot))
      }
      if case .pause(let record, _) = plan {
        throw progress.refusal ?? remembered(record)
      }
      guard case .refresh(let tokens, let valid, let reason) = plan,
        let token = tokens.first(where: { !progress.refused.contains($0.secret) })
      else { throw progress.failure }
      guard self.lock(of: token, resolved) == lock else { return .needsLock(of: token) }
      progress.fallback = valid?.accessToken.secret
      application.surroundings.log.write(.information, "Refreshing: \(reason.rawValue)")
      if let answer = try redeem(token, resolved, snapshot, &progress) { return .answer(answer) }
    }
    throw progress.failure
  }

  /// Redeems a refresh token; nil if the server refuses it.
  private func redeem(
    _ token: CredentialRecord, _ resolved: ResolvedAuthority, _ snapshot: CacheSnapshot,
    _ progress: inout Progress
  ) throws(TesseraError) -> SilentResult? {
    var tokenRequest = TokenRequest(
      grant: .refreshToken(token.secret), clientID: application.configuration.clientID,
      scopes: scopes.union(application.configuration.refreshScopes), claims: claims,
      asksForClientInfo: authority.isEntra)
    tokenRequest.enrollmentID = enrollmentID(in: snapshot)
    let began = time.moment
    var exchange = exchange
    exchange.homeAccountID = homeAccountID
    let answer = try exchange.redeem(
      tokenRequest.adding(extras), at: resolved.tokenEndpoint(in: inputs(snapshot).realm),
      of: authority)
    switch answer {
    case .success(let document):
      return try store(document, resolved, redeemed: token, before: snapshot, beganAt: began)
    case .refusal(let refusal):
      let refused = try failure(refusal, token, resolved, snapshot)
      // The refusal of an earlier token led to this one.
      progress.refusal = progress.refusal.map { refused.caused(by: $0) } ?? refused
      progress.refused.insert(token.secret)
      return nil
    }
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
