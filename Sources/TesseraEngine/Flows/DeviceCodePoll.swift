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
      self = .wait(
        seconds: max(DeviceCodePoll.slower(intervalSeconds), refusal.retryAfterSeconds ?? 0),
        interval: intervalSeconds)
    default:
      self = .fail(TesseraError(refusal, correlationID: correlationID))
    }
  }

  /// Decides on a poll that did not reach the server: RFC 8628 3.5 wants exponential backoff.
  package init(_ error: TesseraError, intervalSeconds: Int64) {
    self =
      error.code == .networkFailed
      ? .wait(seconds: DeviceCodePoll.slower(intervalSeconds), interval: intervalSeconds)
      : .fail(error)
  }

  private static func slower(_ intervalSeconds: Int64) -> Int64 {
    min(intervalSeconds * 2, 60)
  }
}
