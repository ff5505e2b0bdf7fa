// SPDX-License-Identifier: MIT
// The error for a request that is not sent, because the same request failed recently.

package import TesseraCache
package import TesseraWire

extension TesseraError {
  /// The maximum time of `Retry-After` that is honoured, in seconds (MSAL).
  package static let maximumRetryAfterSeconds = ThrottleRecord.maximumSeconds

  /// Returns the error for a request that must not be sent yet.
  package static func recordedError(_ record: ThrottleRecord, at clocks: Clocks) -> TesseraError {
    let failure = TesseraError(recordedError: record.error)
    var error = failure
    error.causes = []
    error = error.caused(by: failure)
    error.isRecorded = true
    error.representsOutage = error.code == .serverUnavailable
    // A rejection keeps its code. After an outage, the code states that no request was sent.
    if error.remedy == .retryLater {
      let seconds = record.blockedSeconds(at: clocks)
      if seconds > 0 { error.code = .throttled }
      error.retryAfterSeconds = seconds > 0 ? seconds : record.backoffSeconds(at: clocks)
    } else if let asked = failure.retryAfterSeconds {
      let left = min(asked, maximumRetryAfterSeconds) - (record.ageSeconds(at: clocks) ?? asked)
      error.retryAfterSeconds = left > 0 ? left : nil
    }
    error.message =
      "The same request failed recently and was not sent again: " + error.message
    return error
  }
}
