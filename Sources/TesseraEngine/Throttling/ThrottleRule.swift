// SPDX-License-Identifier: MIT
// For how long a failed request is not repeated, as a rule without clock or cache.

/// How long a failed refresh is not tried again.
package enum ThrottleRule {
  /// Seconds after a refusal without a time, as the MSAL libraries have it.
  package static let defaultPause: Int64 = 60
  /// Seconds for which a server's refusal of one refresh token is not asked for again (MSAL for Apple and .NET).
  private static let refusal: Int64 = 120

  /// Seconds for which nobody may send the same request; zero if the failure asks for no pause.
  ///
  /// A server that says for how long is believed, up to an hour. One that is in trouble and does not say, or a broker that
  /// does not answer, gets a pause that grows; MSAL waits a minute at once, but its memory ends with the process.
  ///
  /// - Parameter failures: how often it had failed in a row before.
  package static func blockedSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    if let seconds = error.retryAfterSeconds, seconds > 0 {
      return min(seconds, TesseraError.longestRetryAfter)
    }
    return switch error.code {
    case .throttled: defaultPause
    case .serverUnavailable, .brokerUnresponsive: growing(from: 5, to: defaultPause, failures)
    default: 0
    }
  }

  /// Seconds for which nobody tries who has a valid token, whatever the failure was.
  package static func restingSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    max(blockedSeconds(after: error, failures: failures), growing(from: 30, to: 300, failures))
  }

  /// Seconds for which a refusal of one refresh token for one request is answered without asking; zero for a failure
  /// that is no refusal.
  package static func refusedSeconds(after error: TesseraError) -> Int64 {
    switch error.remedy {
    case .signIn: refusal
    // What a developer corrects at the provider should not take long to show.
    case .fixRequest, .fixConfiguration: defaultPause
    default: 0
    }
  }

  /// Twice as long after each failure.
  private static func growing(from first: Int64, to last: Int64, _ failures: Int64) -> Int64 {
    min(first << min(max(failures, 0), 10), last)
  }
}
