// SPDX-License-Identifier: MIT
// The texts of an error for localizedDescription and alerts.

public import TesseraEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TesseraError: LocalizedError {
  /// The message of the error; `localizedDescription` returns it.
  public var errorDescription: String? { message }

  /// The most direct cause; nil if there is none.
  public var failureReason: String? { causes.first?.message }

  /// The next step for the user, which depends on the remedy; nil after a cancellation.
  public var recoverySuggestion: String? {
    switch remedy {
    case .signIn: "Sign in."
    case .retryLater:
      retryAfterSeconds.map { "Try again in \($0) seconds." } ?? "Try again later."
    case .fixRequest: "Correct the request."
    case .fixConfiguration:
      "Correct the configuration of the application, or its registration at the provider."
    case .fixStorage: "Correct the token store, or choose another one."
    case .cancelled: nil
    case .reportBug: "Report the error with its message."
    }
  }
}
