// SPDX-License-Identifier: MIT
// The tokens that a silent call returns if it cannot acquire the requested one.

import TesseraCache
import TesseraWire

/// The tokens that a silent call returns if it cannot acquire the requested one.
struct SilentFallback {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Returns a token that is still valid, with the error as a warning; throws the error if there is none.
  ///
  /// - Parameter seconds: The time for which the result may be cached, in seconds.
  func fallBack(
    on token: CachedToken?, _ snapshot: CacheSnapshot, because error: TesseraError,
    forSeconds seconds: Int64 = 0
  ) throws(TesseraError) -> SilentResult {
    // A forced refresh never falls back. A cancellation by the caller ends the call; one by the broker does not.
    let isStopped = error.code == .cancelled && call.limits.cancellation?.isCancelled == true
    guard !call.request.forcesRefresh, !isStopped else { throw error }
    let outage = token == nil && error.isOutage ? call.inputs(snapshot).outageToken : nil
    guard let token = token ?? outage else { throw error }
    var fallback = call.result(for: token, snapshot)
    fallback.result.hasExtendedLifetime = outage != nil
    fallback.validity = call.validity(snapshot, forSeconds: min(seconds, token.secondsLeft))
    fallback.result.refreshError = error
    return fallback
  }

  /// Returns a new result, or a cached token for all scopes that is still valid if the server declined some of them.
  func preferring(
    _ fallback: CachedToken?, over silentResult: SilentResult, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    guard !silentResult.result.declinedScopes.isEmpty, let fallback, !call.request.forcesRefresh
    else {
      return silentResult
    }
    var preferred = try fallBack(
      on: fallback, snapshot, because: TesseraError(declinedScopesOf: silentResult.result))
    preferred.result.brokers = silentResult.result.brokers
    return preferred
  }

  /// Returns the result of a throttled request whose scopes the server declined: the token for the granted ones.
  ///
  /// It must not be cached, because the next sign-in removes the record.
  ///
  /// - Returns: `nil` if the request is throttled for another reason, or if the token has expired or was removed.
  func grantedToken(_ record: ThrottleRecord) -> SilentResult? {
    let error = call.recordedError(record)
    guard error.code == .serverDeclinedScopes, !error.declinedScopes.isEmpty else { return nil }
    let granted = Scopes(error.grantedScopes)
    let call = self.call.changing { $0.scopes = granted }
    guard let snapshot = try? call.context.cache.snapshot(call.selection, within: call.limits)
    else {
      return nil
    }
    let inputs = call.inputs(snapshot)
    let tokens = inputs.accessTokens.filter {
      Scopes(parsing: $0.target ?? "").minus(.reserved) == granted
    }
    for token in tokens {
      let times = TokenExpiry(token, at: inputs.clocks, marginSeconds: inputs.marginSeconds)
      guard times.verdict != .expired else { continue }
      let cached = CachedToken(
        accessToken: token, idToken: inputs.idToken(accompanying: token),
        secondsLeft: times.secondsLeft)
      var silentResult = call.result(for: cached, snapshot)
      silentResult.result.declinedScopes = error.declinedScopes
      silentResult.validity = nil
      return silentResult
    }
    return nil
  }

  /// Returns the valid cached token if the stack is too small to contact the broker; `nil` if it is large enough.
  ///
  /// - Throws: `stackTooSmall` if there is no valid cached token.
  func validTokenOnSmallStack(
    _ plan: SilentPlan, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    do throws(TesseraError) {
      try call.context.dependencies.stack.check(.credential)
      return nil
    } catch {
      guard case .refresh(_, let valid, _) = plan else { throw error }
      return try fallBack(on: valid, snapshot, because: error)
    }
  }
}
