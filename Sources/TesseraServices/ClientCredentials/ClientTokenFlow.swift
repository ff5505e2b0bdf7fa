// SPDX-License-Identifier: MIT
// Acquisition of a token of the application: from the cache, or with one request of all callers.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The acquisition of a token of the application.
struct ClientTokenFlow {
  private let call: ClientTokenCall

  init(_ call: ClientTokenCall) { self.call = call }

  /// Acquires the token.
  func run() throws(TesseraError) -> SilentResult {
    if call.limits.cancellation?.isCancelled == true { throw .cancelled() }
    let snapshot = try call.context.cache.snapshot(call.selection, within: call.limits)
    switch ClientTokenPlan(call.inputs(snapshot)) {
    case .useCached(let token): return call.result(for: token, snapshot)
    case .backOff(let record, let fallback):
      return try fallBack(
        on: fallback, snapshot, because: .recordedError(record, at: call.time.clocks),
        forSeconds: record.backoffSeconds(at: call.time.clocks))
    case .request(let reason, let fallback):
      return try request(for: reason, fallback, snapshot)
    }
  }

  /// Requests the token, and returns the fallback if that fails.
  private func request(
    for reason: RefreshReason, _ fallback: CachedToken?, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      if let result = try ClientTokenExchange(call.prepared(for: reason), reason).run() {
        return result
      }
    } catch {
      return try fallBack(on: fallback, snapshot, because: error)
    }
    // The other request will finish soon: check again in one second.
    let busy = TesseraError(
      .retryLater, .storeBusy, "Another call is requesting this token: try again.")
    return try fallBack(on: fallback, snapshot, because: busy, forSeconds: 1)
  }

  /// Returns a token that is still valid, with the error as a warning; throws the error if there is none.
  ///
  /// - Parameter seconds: The time for which the result may be cached, in seconds.
  private func fallBack(
    on token: CachedToken?, _ snapshot: CacheSnapshot, because error: TesseraError,
    forSeconds seconds: Int64 = 0
  ) throws(TesseraError) -> SilentResult {
    let isStopped = error.code == .cancelled && call.limits.cancellation?.isCancelled == true
    guard !call.request.forcesRefresh, !isStopped else { throw error }
    let outage = token == nil && error.isOutage ? call.outageToken(snapshot) : nil
    guard let token = token ?? outage else { throw error }
    var fallback = call.result(for: token, snapshot)
    fallback.result.hasExtendedLifetime = outage != nil
    fallback.validity = call.validity(snapshot, forSeconds: min(seconds, token.secondsLeft))
    fallback.result.refreshError = error
    return fallback
  }
}

extension ClientTokenCall {
  /// Returns the call for requests to servers.
  ///
  /// It has a short timeout if the cached token is still usable.
  fileprivate func prepared(for reason: RefreshReason) -> ClientTokenCall {
    var call = self
    call.serverClient = serverClient.identified()
    if reason.isOptional {
      call.serverClient.limits = limits.atMost(
        milliseconds: context.configuration.proactiveRefreshTimeout.wholeMilliseconds, time)
    }
    return call
  }
}

/// The request for a token, which one caller at a time sends.
struct ClientTokenExchange {
  private let call: ClientTokenCall
  private let reason: RefreshReason

  init(_ call: ClientTokenCall, _ reason: RefreshReason) {
    self.call = call
    self.reason = reason
  }

  /// Requests the token under its lock, unless another caller has stored one in the meantime.
  ///
  /// - Returns: `nil` if another caller holds the lock, and the cached token is still valid.
  func run() throws(TesseraError) -> SilentResult? {
    let lockLimits =
      reason.isOptional ? call.limits.atMost(milliseconds: 0, call.time) : call.limits
    var hasLock = false
    do throws(TesseraError) {
      return try call.context.cache.withLock(on: call.lock, within: lockLimits) {
        () throws(TesseraError) in
        hasLock = true
        return try underLock()
      }
    } catch {
      guard !hasLock, reason.isOptional, error.code == .storeBusy else { throw error }
      return nil
    }
  }

  /// Repeats the decision under the lock, and requests the token if that is still necessary.
  private func underLock() throws(TesseraError) -> SilentResult {
    let snapshot = try call.context.cache.snapshot(
      call.selectionBeforeRequest, within: call.serverClient.limits)
    switch ClientTokenPlan(call.inputs(snapshot)) {
    case .useCached(let token): return call.result(for: token, snapshot)
    case .backOff(let record, _): throw .recordedError(record, at: call.time.clocks)
    case .request(let reason, _):
      do throws(TesseraError) {
        return try exchange(reason, snapshot)
      } catch {
        recordFailure(error, reason, snapshot)
        throw error
      }
    }
  }

  private func exchange(
    _ reason: RefreshReason, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    let context = call.context
    try call.serverClient.limits.check(call.time)
    context.dependencies.log.write(
      .information, "Requesting a token of the application: \(reason.rawValue)")
    let resolved = try context.resolver.resolveTokenEndpoint(
      of: call.authority, call.serverClient, in: snapshot)
    let began = call.time.bootTime
    let request = TokenRequest(
      grant: .clientCredentials, clientID: context.configuration.clientID, scopes: call.scopes,
      claims: call.claims)
    let outcome = try call.serverClient.redeem(
      request.adding(call.extras), at: resolved.configuration.tokenEndpoint, of: resolved)
    switch outcome {
    case .errorResponse(let errorResponse):
      throw rejection(errorResponse)
    case .success(let document):
      var records = try TokenResponseRecords(
        ofApplication: document, context.expectation(of: resolved, call.scopes))
      records.beganAt = began
      return SilentResult(
        result: try store(records, resolved, snapshot), validity: nil)
    }
  }

  /// Returns the error for a rejected request, which no sign-in of a user corrects.
  private func rejection(_ errorResponse: ServerError) -> TesseraError {
    var error = TesseraError(errorResponse, correlationID: call.serverClient.correlationID)
    guard error.remedy == .signIn else { return error }
    error.remedy = .fixConfiguration
    error.code = .clientRejected
    return error
  }

  /// Stores the token, and removes the recorded failure of the request.
  private func store(
    _ records: TokenResponseRecords, _ resolved: ResolvedAuthority, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> TokenResult {
    guard let token = records.accessToken else {
      throw TesseraError(.retryLater, .invalidResponse, "The token response has no access token.")
    }
    var change = CacheChange([.replaceAccessToken(token)])
    if let record = call.throttle(snapshot) {
      call.context.throttles.removeRecords(of: call.throttleOwner, names: [record.name])
      change.steps.append(
        .removeThrottles(
          homeAccountID: call.throttleOwner, clientID: call.context.configuration.clientID,
          names: [record.name]))
    }
    let commit = call.context.commitWithOwnTimeout(change)
    var result = call.result(of: token, from: .network)
    result.warnings += resolved.warnings
    if case .queued(let problem) = commit {
      result.isPersisted = false
      result.warnings.append(problem.message)
    }
    return result
  }

  /// Records a failure that must not be retried at once, before the lock is released.
  private func recordFailure(
    _ error: TesseraError, _ reason: RefreshReason, _ snapshot: CacheSnapshot
  ) {
    guard !error.isRecorded, ![.cancelled, .stackTooSmall].contains(error.code) else { return }
    // A caller with a zero or short timeout learned nothing about the server.
    if error.code == .deadlineExceeded, call.limits.nanosecondsLeft(call.time) == 0 { return }
    let last = call.throttle(snapshot).flatMap { $0.hasExpired(at: call.time.clocks) ? nil : $0 }
    let failures = last?.failures ?? 0
    call.context.recordThrottle(
      error, as: (call.throttleKey.name, call.throttleOwner),
      forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
      backoffSeconds: reason.isOptional
        ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
      failures: failures &+ 1)
  }
}
