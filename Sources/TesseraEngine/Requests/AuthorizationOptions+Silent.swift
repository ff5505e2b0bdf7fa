// SPDX-License-Identifier: MIT
// The silent request with the parameters of an interactive one.

import TesseraWire

extension AuthorizationOptions {
  /// Returns the silent request for an account with the same parameters.
  func silent(_ account: String, _ username: String? = nil) -> SilentRequest {
    var silent = SilentRequest(homeAccountID: account, scopes: scopes)
    // The name is only for accounts without an identifier. With an identifier, it would change the cache key.
    if account.isEmpty { silent.username = username }
    silent.authority = authority
    silent.claims = claims
    silent.extraTokenParameters = extraTokenParameters
    silent.timeout = timeout
    silent.correlationID = correlationID
    (silent.traceparent, silent.tracestate) = (traceparent, tracestate)
    return silent
  }
}
