// SPDX-License-Identifier: MIT
// Errors of calls that use the broker.

extension TesseraError {
  /// The error for a call that requires the broker in a build without it.
  package static var brokerMissing: TesseraError {
    var error = MissingFeature.broker.error
    error.causes = [TesseraError.Cause(.broker, code: error.code.rawValue, error.message)]
    return error
  }

  /// Whether the call must not continue without the broker.
  ///
  /// The user or the broker has decided, the network or the server is unavailable, or the user is signing in in another
  /// window.
  var preventsFallback: Bool {
    remedy == .cancelled || code == .networkFailed || code == .serverUnavailable
      || code == .interactionInProgress
  }
}
