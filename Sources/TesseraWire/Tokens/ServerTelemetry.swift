// SPDX-License-Identifier: MIT
// The client telemetry header fields for Entra, in schema 4 as sent by MSAL for Apple.

/// The telemetry of the current token request (`x-client-current-telemetry`).
package struct CurrentTelemetry: Sendable, Equatable {
  /// The reason for the request.
  package enum RefreshType: Int, Sendable {
    /// A sign-in or a claims challenge.
    case none = 0
    /// The caller forced a refresh.
    case forced = 1
    /// The cache contains no token.
    case missing = 2
    /// The cached token has expired.
    case expired = 3
    /// The cached token is still valid, but due for a refresh.
    case proactive = 4
  }

  /// The ID of the API function.
  package var apiID: Int
  package var refreshType: RefreshType

  package init(apiID: Int, refreshType: RefreshType) {
    self.apiID = apiID
    self.refreshType = refreshType
  }

  /// The value of the header field.
  ///
  /// It never reaches Entra's limit of 100 bytes.
  package var text: String { "\(schema)|\(apiID),\(refreshType.rawValue)|" }
}

/// The telemetry of earlier calls (`x-client-last-telemetry`).
package struct LastTelemetry: Sendable {
  /// A failed token request.
  package struct Failure: Sendable, Equatable {
    package let apiID: Int
    /// The correlation ID; empty if it contains characters that the format reserves.
    package let correlationID: String
    package let error: String

    package init(apiID: Int, correlationID: String, error: String) {
      self.apiID = apiID
      self.correlationID = Failure.validated(correlationID)
      self.error = Failure.validated(error)
    }

    /// Returns the text if it fits the format: at most 64 printable ASCII characters, without separators.
    ///
    /// Otherwise an empty string.
    private static func validated(_ text: String) -> String {
      let isValid =
        text.utf8.count <= 64
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",|".utf8.contains($0) }
      return isValid ? text : ""
    }
  }

  /// The maximum size of the value that Entra accepts, in bytes.
  package static let limit = 350

  /// The number of cache hits since the last request to the server.
  package var silentSuccesses: Int
  /// The failures since then, newest last.
  package var failures: [Failure]
  /// Whether an earlier request could not contain all failures.
  package var hasOverflowed: Bool

  package init(silentSuccesses: Int, failures: [Failure], hasOverflowed: Bool = false) {
    self.silentSuccesses = silentSuccesses
    self.failures = failures
    self.hasOverflowed = hasOverflowed
  }

  /// The number of failures that fit into the header field, newest first.
  package var reportedFailureCount: Int {
    var count = 0
    while count < failures.count, text(failureCount: count + 1).utf8.count <= LastTelemetry.limit {
      count += 1
    }
    return count
  }

  /// The value of the header field.
  package var text: String { text(failureCount: reportedFailureCount) }

  private func text(failureCount count: Int) -> String {
    let reported = failures.suffix(count)
    let calls = reported.map { "\($0.apiID),\($0.correlationID)" }.joined(separator: ",")
    let errors = reported.map(\.error).joined(separator: ",")
    return "\(schema)|\(silentSuccesses)|\(calls)|\(errors)|\(hasOverflowed ? "1" : "")"
  }
}

private let schema = 4
