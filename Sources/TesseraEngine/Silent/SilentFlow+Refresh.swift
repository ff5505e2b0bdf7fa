// SPDX-License-Identifier: MIT
// The refresh of a silent call: redeems each refresh token under its own lock.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// The progress of a refresh over several refresh tokens.
  private struct RefreshProgress {
    var rejection: TesseraError?
    var rejected: Set<Secret> = []
    /// The access token to be refreshed, which is still usable.
    var fallback: Secret?

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
    /// Another process is refreshing this credential, and the caller need not wait.
    case busy
  }

  /// Refreshes the token.
  ///
  /// A failure is recorded before the lock is released.
  func refresh(
    _ tokens: [CredentialRecord], _ fallback: CachedToken?, _ reason: RefreshReason,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    let flow = prepared(for: reason)
    do throws(TesseraError) {
      let resolved = try flow.recordingFailure(reason, snapshot) { () throws(TesseraError) in
        try context.resolver.resolve(authority, flow.serverClient)
      }
      if let result = try flow.refresh(with: tokens, resolved, reason, snapshot) {
        return try preferring(fallback, over: result, snapshot)
      }
    } catch {
      return try fallBack(on: fallback, snapshot, because: error)
    }
    // The other refresh will finish soon: check again in one second.
    let busy = TesseraError(
      .retryLater, .storeBusy, "Another call is refreshing this token: try again.")
    return try fallBack(on: fallback, snapshot, because: busy, forSeconds: 1)
  }

  /// Returns the flow for requests to servers.
  ///
  /// It has a short timeout if the cached token is still usable.
  func prepared(for reason: RefreshReason) -> SilentFlow {
    var flow = self
    flow.serverClient = serverClient.identified()
    flow.serverClient.telemetry = context.telemetry(of: .silent, reason.telemetryType)
    if reason.isOptional {
      flow.serverClient.limits =
        proactiveLimits
        ?? limits.atMost(
          milliseconds: context.configuration.proactiveRefreshTimeout.wholeMilliseconds, time)
    }
    return flow
  }

  /// Tries the refresh tokens, each under its own lock: the application's own, then those of its family.
  ///
  /// - Returns: `nil` if another process is refreshing and the caller need not wait.
  private func refresh(
    with tokens: [CredentialRecord], _ resolved: ResolvedAuthority, _ reason: RefreshReason,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    var progress = RefreshProgress()
    var next = tokens.first.map { lock(of: $0, inputs(snapshot), resolved) }
    for _ in 0..<3 {
      guard let lock = next else { break }
      let outcome = try withRefreshLock(lock, reason) { () throws(TesseraError) in
        try recordingFailure(reason, snapshot) { () throws(TesseraError) in
          try refresh(under: lock, resolved, &progress)
        }
      }
      switch outcome {
      case .result(let result): return result
      case .needsLock(let lock): next = lock
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
    _ body: () throws(TesseraError) -> Outcome
  ) throws(TesseraError) -> Outcome {
    let limits = reason.isOptional ? limits.atMost(milliseconds: 0, time) : limits
    var hasLock = false
    do throws(TesseraError) {
      return try context.cache.withLock(on: lock, within: limits) {
        () throws(TesseraError) in
        hasLock = true
        return try body()
      }
    } catch {
      guard !hasLock, reason.isOptional, error.code == .storeBusy else { throw error }
      return .busy
    }
  }

  /// Repeats the decision under the lock, and redeems a token if that is still necessary.
  private func refresh(
    under lock: CredentialLock, _ resolved: ResolvedAuthority, _ progress: inout RefreshProgress
  ) throws(TesseraError) -> Outcome {
    try context.cache.checkWritable(within: serverClient.limits)
    // Retry after a rejection, because another process may have stored a different token.
    for _ in 0..<3 {
      let snapshot = try context.cache.snapshot(selection, within: serverClient.limits)
      let inputs = inputs(snapshot)
      let plan = SilentPlan(inputs)
      if case .useCached(let token) = plan {
        // Only the token that was to be refreshed is left, and it cannot be refreshed.
        if let rejection = progress.rejection, token.accessToken.secret == progress.fallback {
          throw rejection
        }
        return .result(result(for: token, snapshot))
      }
      if case .backOff(let record, _) = plan {
        if progress.rejection == nil, let granted = grantedToken(record) { return .result(granted) }
        throw progress.rejection ?? recordedError(record)
      }
      guard case .refresh(let tokens, let valid, let reason) = plan,
        let token = tokens.first(where: { !progress.rejected.contains($0.secret) })
      else { throw progress.failure }
      let needed = self.lock(of: token, inputs, resolved)
      guard needed == lock else { return .needsLock(needed) }
      progress.fallback = valid?.accessToken.secret
      try serverClient.limits.check(time)
      context.dependencies.log.write(.information, "Refreshing: \(reason.rawValue)")
      if let result = try redeem(token, resolved, snapshot, &progress) { return .result(result) }
    }
    throw progress.failure
  }

  /// Redeems a refresh token; returns `nil` if the server rejects it.
  private func redeem(
    _ token: CredentialRecord, _ resolved: ResolvedAuthority, _ snapshot: CacheSnapshot,
    _ progress: inout RefreshProgress
  ) throws(TesseraError) -> SilentResult? {
    var tokenRequest = TokenRequest(
      grant: .refreshToken(token.secret), clientID: context.configuration.clientID,
      scopes: scopes.union(context.configuration.refreshScopes), claims: claims,
      requestsClientInfo: authority.isEntra)
    tokenRequest.enrollmentID = enrollmentID(in: snapshot)
    let began = time.bootTime
    var serverClient = serverClient
    serverClient.homeAccountID = homeAccountID
    let outcome = try serverClient.redeem(
      tokenRequest.adding(extras), at: resolved.tokenEndpoint(in: inputs(snapshot).realm),
      of: authority)
    switch outcome {
    case .success(let document):
      return try store(document, resolved, redeemed: token, before: snapshot, beganAt: began)
    case .errorResponse(let errorResponse):
      let rejection = try rejectionError(errorResponse, token, resolved, snapshot)
      // The earlier rejection is the cause of this one.
      progress.rejection = progress.rejection.map { rejection.caused(by: $0) } ?? rejection
      progress.rejected.insert(token.secret)
      return nil
    }
  }

  /// Returns the lock of a refresh token.
  private func lock(
    of token: CredentialRecord, _ inputs: SilentInputs, _ resolved: ResolvedAuthority
  ) -> CredentialLock {
    CredentialLock(
      environment: resolved.environment, owner: inputs.lockOwner(of: token),
      homeAccountID: homeAccountID)
  }
}
