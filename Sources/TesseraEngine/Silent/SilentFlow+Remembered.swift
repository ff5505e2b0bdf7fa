// SPDX-License-Identifier: MIT
// A failure that is answered again without a request, with the token that was granted instead.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// The failure of a request that is not sent again.
  ///
  /// Who asked for more than was granted gets the token for that each time, while it is good.
  func remembered(_ record: ThrottleRecord) -> TesseraError {
    var error = TesseraError.remembered(record, at: time.clocks)
    if error.code == .serverDeclinedScopes { error.result = granted(Scopes(error.grantedScopes)) }
    return error
  }

  /// The token for what was granted; nil if the store does not have it any more, or it is over.
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
      guard times.verdict != .over else { continue }
      let cached = CachedToken(
        accessToken: token, idToken: inputs.idToken(beside: token), secondsLeft: times.secondsLeft)
      return flow.answer(cached, snapshot).result
    }
    return nil
  }
}
