// SPDX-License-Identifier: MIT
// The telemetry of a call that is sent with its token request, if the configuration enables it.

import TesseraWire

/// The telemetry of one call, and the history of earlier calls.
struct CallTelemetry: Sendable {
  /// The API IDs of MSAL for Apple.
  ///
  /// The ID for device codes is that of MSAL for Python, because MSAL for Apple has none.
  enum Function: Int, Sendable {
    case silent = 34
    case interactive = 167
    case deviceCode = 622
  }

  let history: TelemetryHistory
  let current: CurrentTelemetry
}

extension RefreshReason {
  /// The refresh reason as MSAL for Apple encodes it.
  var telemetryType: CurrentTelemetry.RefreshType {
    switch self {
    case .claims: .none
    case .forced: .forced
    case .missing: .missing
    case .expired: .expired
    case .due, .doubtful: .proactive
    }
  }
}
