// SPDX-License-Identifier: MIT
// The decision after each poll of the device code flow (RFC 8628 section 3.5).

package import TesseraWire

/// What the device code flow does after a poll that brought no tokens.
package enum DeviceCodePoll: Sendable {
  /// Wait so many seconds, then poll again; the interval is that of all later polls.
  case wait(seconds: Int64, interval: Int64)
  /// Give up.
  case fail(TesseraError)

  /// Decides on a refusal.
  package init(_ refusal: ServerError, intervalSeconds: Int64, correlationID: String) {
    switch refusal.error?.lowercased() {
    case "authorization_pending":
      self = .wait(seconds: intervalSeconds, interval: intervalSeconds)
    case "slow_down":
      // RFC 8628 3.5: five seconds more, for this and all later polls.
      self = .wait(seconds: intervalSeconds + 5, interval: intervalSeconds + 5)
    case _ where refusal.isTemporary:
      let seconds = DeviceCodePoll.slower(intervalSeconds)
      self = .wait(seconds: max(seconds, refusal.retryAfterSeconds ?? 0), interval: seconds)
    default:
      self = .fail(TesseraError(ofCode: refusal, correlationID: correlationID))
    }
  }

  /// Decides on a poll that did not reach the server: RFC 8628 3.5 wants exponential backoff.
  package init(_ error: TesseraError, intervalSeconds: Int64) {
    let seconds = DeviceCodePoll.slower(intervalSeconds)
    self = error.code == .networkFailed ? .wait(seconds: seconds, interval: seconds) : .fail(error)
  }

  /// Twice as slow, up to a minute; a server that wants more than that gets it.
  private static func slower(_ intervalSeconds: Int64) -> Int64 {
    max(intervalSeconds, min(intervalSeconds * 2, 60))
  }
}
