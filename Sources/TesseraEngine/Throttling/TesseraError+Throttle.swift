// SPDX-License-Identifier: MIT
// A failure as it is remembered, and as it is answered again without asking anybody.

package import TesseraCache
package import TesseraWire

extension TesseraError {
  /// No server can ask for more seconds than this (MSAL).
  package static let longestRetryAfter = ThrottleRecord.longest

  /// The answer to a request that must not be sent yet.
  package static func remembered(_ record: ThrottleRecord, at clocks: Clocks) -> TesseraError {
    let failure = TesseraError(remembered: record.error)
    var error = failure
    error.causes = []
    error = error.caused(by: failure)
    error.isRemembered = true
    error.standsForOutage = error.code == .serverUnavailable
    // A refusal stays what it was; a server in trouble is one that nobody asks.
    if error.remedy == .retryLater {
      let seconds = record.blockedSeconds(at: clocks)
      if seconds > 0 { error.code = .throttled }
      error.retryAfterSeconds = seconds > 0 ? seconds : record.restingSeconds(at: clocks)
    } else if let asked = failure.retryAfterSeconds {
      let left = min(asked, longestRetryAfter) - (record.ageSeconds(at: clocks) ?? asked)
      error.retryAfterSeconds = left > 0 ? left : nil
    }
    error.message =
      "The same request failed a moment ago, and was not sent again: " + error.message
    return error
  }
}
