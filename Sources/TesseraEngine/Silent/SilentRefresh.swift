// SPDX-License-Identifier: MIT
// The refresh of a silent call: redeems each refresh token under its own lock.

import TesseraCache
import TesseraWire

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
        return .result(call.result(for: token, snapshot))
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
      of: call.authority)
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
    inputs.legacyItems == nil
      ? CredentialLock(
        environment: environment, owner: inputs.lockOwner(of: token),
        homeAccountID: call.homeAccountID)
      : CredentialLock(
        environment: environment, owner: "legacy", homeAccountID: token.homeAccountID)
  }
}
