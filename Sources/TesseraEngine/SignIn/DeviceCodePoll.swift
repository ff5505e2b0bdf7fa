// SPDX-License-Identifier: MIT
// The decision after each poll of the device code flow (RFC 8628 section 3.5).

package import TesseraWire

/// The next step of the device code flow after a poll without tokens.
package enum DeviceCodePoll: Sendable {
  /// Wait the given number of seconds, then poll again. The interval applies to all later polls.
  case wait(seconds: Int64, interval: Int64)
  /// Stop polling and throw an error.
  case fail(TesseraError)

  /// Decides the next step after an error response.
  package init(_ errorResponse: ServerError, intervalSeconds: Int64, correlationID: String) {
    switch errorResponse.error?.lowercased() {
    case "authorization_pending":
      self = .wait(seconds: intervalSeconds, interval: intervalSeconds)
    case "slow_down":
      // RFC 8628 section 3.5: increase the interval by five seconds for this and all later polls.
      self = .wait(seconds: intervalSeconds + 5, interval: intervalSeconds + 5)
    case _ where errorResponse.isTemporary:
      let seconds = DeviceCodePoll.doubledInterval(intervalSeconds)
      self = .wait(seconds: max(seconds, errorResponse.retryAfterSeconds ?? 0), interval: seconds)
    default:
      self = .fail(TesseraError(ofCode: errorResponse, correlationID: correlationID))
    }
  }

  /// Decides the next step after a failed request.
  ///
  /// RFC 8628 section 3.5 requires exponential backoff if the server cannot be reached.
  package init(_ error: TesseraError, intervalSeconds: Int64) {
    let seconds = DeviceCodePoll.doubledInterval(intervalSeconds)
    self = error.code == .networkFailed ? .wait(seconds: seconds, interval: seconds) : .fail(error)
  }

  /// Returns twice the interval, but at most 60 seconds.
  ///
  /// A longer interval of the server is kept.
  private static func doubledInterval(_ intervalSeconds: Int64) -> Int64 {
    max(intervalSeconds, min(intervalSeconds * 2, 60))
  }
}
