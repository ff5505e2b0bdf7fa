// SPDX-License-Identifier: MIT
// The telemetry of a request, and the expected values of its response.

import TesseraCache
import TesseraWire

extension FlowContext {
  /// Returns the telemetry of a call; `nil` unless the configuration enables it.
  func telemetry(
    of function: CallTelemetry.Function, _ refreshType: CurrentTelemetry.RefreshType = .none
  ) -> CallTelemetry? {
    telemetry.map {
      CallTelemetry(
        history: $0,
        current: CurrentTelemetry(apiID: function.rawValue, refreshType: refreshType))
    }
  }

  /// Returns the expected values of a response to this application.
  func expectation(
    of authority: ResolvedAuthority, _ scopes: Scopes, homeAccountID: String? = nil
  ) -> TokenExpectation {
    var expected = TokenExpectation(
      authority: authority, clientID: configuration.clientID, scopes: scopes,
      homeAccountID: homeAccountID)
    expected.requestedClaims = capabilityClaims
    return expected
  }
}
