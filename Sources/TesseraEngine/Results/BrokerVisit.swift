// SPDX-License-Identifier: MIT
// The result of a broker request.

/// The result of a broker request for a token.
public struct BrokerVisit: Sendable, Hashable {
  /// The outcome of the request.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The broker returned the token.
    case used
    /// The call continued without the broker.
    case skipped
  }

  /// The broker, such as `linux`.
  public let broker: String
  /// The outcome of the request.
  public let outcome: Outcome
  /// The reason for which it was skipped, as listed in docs/brokers.md; `nil` if it was used.
  ///
  /// The set is open. If the broker returned an error, the reason is the corresponding error code.
  public let reason: String?
  /// The reason for developers; empty if the broker was used.
  public let message: String

  /// The result of a broker request that returned the token.
  package static let used = BrokerVisit(.used, nil, "")

  /// Creates the result for a broker that was skipped because of an error.
  init(skipped error: TesseraError) {
    let cause = error.causes.first { $0.domain == .broker && $0.code != nil }
    self.init(.skipped, cause?.code ?? error.code.rawValue, error.message)
  }

  private init(_ outcome: Outcome, _ reason: String?, _ message: String) {
    self.init(broker: "linux", outcome: outcome, reason: reason, message: message)
  }

  /// Creates the result of a request.
  public init(broker: String, outcome: Outcome, reason: String? = nil, message: String = "") {
    self.broker = broker
    self.outcome = outcome
    self.reason = reason
    self.message = message
  }
}
