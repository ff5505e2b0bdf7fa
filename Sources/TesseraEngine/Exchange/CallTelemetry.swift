// SPDX-License-Identifier: MIT
// What a call tells of itself with its token request, if the program allows it: which function it is, and why it asks.

import TesseraWire

/// What one call tells of itself, and where it is remembered.
struct CallTelemetry: Sendable {
  /// The functions, as MSAL for Apple numbers them; it has no device codes, which are MSAL for Python's number.
  enum Function: Int, Sendable {
    case silent = 34
    case interactive = 167
    case deviceCode = 622
  }

  let memory: TelemetryMemory
  let current: CurrentTelemetry
}

extension PublicClientApplication {
  /// What a call tells; nil where the program has not allowed it.
  func telemetry(
    of function: CallTelemetry.Function, _ refreshType: CurrentTelemetry.RefreshType = .none
  ) -> CallTelemetry? {
    telemetry.map {
      CallTelemetry(
        memory: $0,
        current: CurrentTelemetry(apiID: function.rawValue, refreshType: refreshType))
    }
  }
}

extension RefreshReason {
  /// Why a server is asked, in the words of MSAL for Apple.
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
