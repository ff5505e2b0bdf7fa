// SPDX-License-Identifier: MIT
// The two header fields that tell Entra of a token request and of earlier ones: schema 4, as MSAL for Apple writes it.

/// What a token request says of itself (`x-client-current-telemetry`).
package struct CurrentTelemetry: Sendable, Equatable {
  /// Why a server is asked.
  package enum RefreshType: Int, Sendable {
    /// A sign-in, or a claims challenge.
    case none = 0
    /// The caller wanted a new token.
    case forced = 1
    /// The cache has no token.
    case missing = 2
    /// The token of the cache has expired.
    case expired = 3
    /// The token of the cache still serves.
    case proactive = 4
  }

  /// The number of the function that was called.
  package var apiID: Int
  package var refreshType: RefreshType

  package init(apiID: Int, refreshType: RefreshType) {
    self.apiID = apiID
    self.refreshType = refreshType
  }

  /// The value of the field; Entra takes 100 bytes, and no number comes near that.
  package var text: String { "\(schema)|\(apiID),\(refreshType.rawValue)|" }
}

/// What is said of earlier calls (`x-client-last-telemetry`).
package struct LastTelemetry: Sendable {
  /// A token request that failed.
  package struct Failure: Sendable, Equatable {
    package let apiID: Int
    /// Empty for one that would break the form.
    package let correlationID: String
    package let error: String

    package init(apiID: Int, correlationID: String, error: String) {
      self.apiID = apiID
      self.correlationID = Failure.word(correlationID)
      self.error = Failure.word(error)
    }

    /// A text that holds no mark of the form and ends no header field; else none.
    private static func word(_ text: String) -> String {
      let isWord =
        text.utf8.count <= 64
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",|".utf8.contains($0) }
      return isWord ? text : ""
    }
  }

  /// Bytes that Entra takes.
  package static let limit = 350

  /// Tokens that the cache had since a server was last asked.
  package var silentSuccesses: Int
  /// What failed since then, the newest last.
  package var failures: [Failure]
  /// Whether an earlier request had no room for all of it.
  package var isRest: Bool

  package init(silentSuccesses: Int, failures: [Failure], isRest: Bool = false) {
    self.silentSuccesses = silentSuccesses
    self.failures = failures
    self.isRest = isRest
  }

  /// How many failures have room, the newest first.
  package var toldCount: Int {
    var count = 0
    while count < failures.count, text(telling: count + 1).utf8.count <= LastTelemetry.limit {
      count += 1
    }
    return count
  }

  /// The value of the field.
  package var text: String { text(telling: toldCount) }

  private func text(telling count: Int) -> String {
    let told = failures.suffix(count)
    let calls = told.map { "\($0.apiID),\($0.correlationID)" }.joined(separator: ",")
    let errors = told.map(\.error).joined(separator: ",")
    return "\(schema)|\(silentSuccesses)|\(calls)|\(errors)|\(isRest ? "1" : "")"
  }
}

private let schema = 4
