// SPDX-License-Identifier: MIT
// Records of requests that must not be sent again for some time.

import TesseraCache
import TesseraWire

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
  func recordThrottle(
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
