// SPDX-License-Identifier: MIT
// Silent calls for which the server declined scopes: the throttle record, and the token for the granted scopes.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Throttles requests with declined scopes, because the server would decline them again (as in MSAL for Apple).
  func recordDeclinedScopes(of result: TokenResult, _ token: Secret) {
    guard !result.declinedScopes.isEmpty else { return }
    let error = TesseraError(declinedScopesOf: result)
    recordThrottle(
      error, as: throttleKey.name(redeeming: token),
      forSeconds: ThrottleRule.rejectionSeconds(after: error))
  }

  /// Returns a new result, or a cached token for all scopes that is still valid if the server declined some of them.
  func preferring(
    _ fallback: CachedToken?, over silentResult: SilentResult, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    guard !silentResult.result.declinedScopes.isEmpty, let fallback, !request.forcesRefresh else {
      return silentResult
    }
    var preferred = try fallBack(
      on: fallback, snapshot, because: TesseraError(declinedScopesOf: silentResult.result))
    preferred.result.brokers = silentResult.result.brokers
    return preferred
  }

  /// Returns the error of a throttled request.
  func recordedError(_ record: ThrottleRecord) -> TesseraError {
    TesseraError.recordedError(record, at: time.clocks)
  }

  /// Returns the result of a throttled request whose scopes the server declined: the token for the granted ones.
  ///
  /// It must not be cached, because the next sign-in removes the record.
  ///
  /// - Returns: `nil` if the request is throttled for another reason, or if the token has expired or was removed.
  func grantedToken(_ record: ThrottleRecord) -> SilentResult? {
    let error = recordedError(record)
    guard error.code == .serverDeclinedScopes, !error.declinedScopes.isEmpty else { return nil }
    let granted = Scopes(error.grantedScopes)
    var flow = self
    flow.scopes = granted
    guard let snapshot = try? context.cache.snapshot(flow.selection, within: limits) else {
      return nil
    }
    let inputs = flow.inputs(snapshot)
    let tokens = inputs.accessTokens.filter {
      Scopes(parsing: $0.target ?? "").minus(.reserved) == granted
    }
    for token in tokens {
      let times = TokenExpiry(token, at: inputs.clocks, marginSeconds: inputs.marginSeconds)
      guard times.verdict != .expired else { continue }
      let cached = CachedToken(
        accessToken: token, idToken: inputs.idToken(accompanying: token),
        secondsLeft: times.secondsLeft)
      var silentResult = flow.result(for: cached, snapshot)
      silentResult.result.declinedScopes = error.declinedScopes
      silentResult.validity = nil
      return silentResult
    }
    return nil
  }
}

extension TesseraError {
  /// Creates the error that states why a request with declined scopes is not sent again.
  fileprivate init(declinedScopesOf result: TokenResult) {
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
