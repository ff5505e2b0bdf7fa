// SPDX-License-Identifier: MIT
// A recorded failure, returned without a request, with the token for the granted scopes.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Returns the error of a throttled request.
  ///
  /// If the server granted only some of the scopes, the error includes the cached token for those scopes while it is
  /// valid.
  func recordedError(_ record: ThrottleRecord) -> TesseraError {
    var error = TesseraError.recordedError(record, at: time.clocks)
    if error.code == .serverDeclinedScopes { error.result = granted(Scopes(error.grantedScopes)) }
    return error
  }

  /// Returns the token for the granted scopes; `nil` if the store has none that is still valid.
  private func granted(_ granted: Scopes) -> TokenResult? {
    var flow = self
    flow.scopes = granted
    guard let snapshot = try? application.cache.snapshot(flow.selection, within: limits) else {
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
      return flow.result(for: cached, snapshot).result
    }
    return nil
  }
}
