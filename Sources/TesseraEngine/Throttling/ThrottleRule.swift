// SPDX-License-Identifier: MIT
// The backoff times after failed requests, as pure functions.

/// The backoff times after a failed refresh.
package enum ThrottleRule {
  /// The time for which the rejection of a refresh token is not retried, in seconds (MSAL for Apple and .NET).
  private static let rejectionPause: Int64 = 120

  /// Returns the time for which no process may send the same request, in seconds; zero for none.
  ///
  /// `Retry-After` is honoured up to one hour. An outage without it, or a broker that does not respond, causes an
  /// exponential backoff. MSAL starts with one minute, but its records last only as long as the process.
  ///
  /// - Parameter failures: The number of preceding consecutive failures.
  package static func blockedSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    if let seconds = error.retryAfterSeconds, seconds > 0 {
      return min(seconds, TesseraError.maximumRetryAfterSeconds)
    }
    return switch error.code {
    case .throttled: TesseraError.defaultBackoffSeconds
    case .serverUnavailable, .brokerUnresponsive:
      exponential(from: 5, to: TesseraError.defaultBackoffSeconds, failures)
    default: 0
    }
  }

  /// Returns the time for which callers with a valid token do not retry after any failure, in seconds.
  package static func backoffSeconds(after error: TesseraError, failures: Int64) -> Int64 {
    max(blockedSeconds(after: error, failures: failures), exponential(from: 30, to: 300, failures))
  }

  /// Returns the time for which a rejected refresh token is not sent again for the same request, in seconds.
  ///
  /// It is zero for a failure that is not a rejection.
  package static func rejectionSeconds(after error: TesseraError) -> Int64 {
    switch error.remedy {
    case .signIn: rejectionPause
    // Shorter, so that a correction at the provider takes effect soon.
    case .fixRequest, .fixConfiguration: TesseraError.defaultBackoffSeconds
    default: 0
    }
  }

  /// Returns a time that doubles with each failure, up to a maximum.
  private static func exponential(from first: Int64, to last: Int64, _ failures: Int64) -> Int64 {
    min(first << min(max(failures, 0), 10), last)
  }
}
