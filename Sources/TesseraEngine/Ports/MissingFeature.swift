// SPDX-License-Identifier: MIT
// The features that a build of the library can leave out.

/// A feature that this build of the library does not have.
package enum MissingFeature: String, Sendable {
  case apple
  case broker
  case legacy
  case msalFile = "msal_file"
  case services

  /// The error for a call that requires the feature.
  package var error: TesseraError {
    var error = TesseraError(
      .fixConfiguration, .featureUnavailable,
      "This build of the library does not have the feature \"\(rawValue)\". Use another build.")
    // The reason for skipping the broker.
    if self == .broker {
      error.causes = [TesseraError.Cause(.broker, code: error.code.rawValue, error.message)]
    }
    return error
  }
}
