// SPDX-License-Identifier: MIT
// The policy for the identity broker of the machine, and the results of its use.

/// The use of the identity broker of this machine (``ApplicationConfiguration/broker``).
public enum BrokerPolicy: String, Sendable, CaseIterable {
  /// The broker is not used.
  case never
  /// The broker is tried first.
  ///
  /// If it fails, the call continues without it.
  case prefer
  /// Tokens come from the broker or the cache, and never from a server.
  ///
  /// Device codes and pages that the host application opens (``PublicClientApplication/beginSignIn(_:cancellation:)``) are
  /// then rejected. Microsoft Authenticator and the single sign-on extension are brokers, so they may be used.
  case require
}

extension PublicClientApplication {
  /// Checks that the policy allows a sign-in without the broker.
  ///
  /// - Throws: `fixConfiguration` with code `flow_unsupported` if the broker is required.
  func checkBroker(_ flow: String) throws(TesseraError) {
    guard configuration.broker == .require else { return }
    throw TesseraError(
      .fixConfiguration, .flowUnsupported,
      "\(flow) does not use the broker, but broker is \"require\": sign in interactively, or set broker to \"prefer\"."
    )
  }
}

/// The reason for which a broker was skipped: the `reason` of a ``BrokerVisit``.
package enum BrokerProblem: String, Sendable, CaseIterable {
  case noSessionBus = "no_session_bus"
  case libraryMissing = "library_missing"
  case notRunning = "broker_not_running"
  case timeout = "broker_timeout"
  case ended = "broker_ended"
  case unsupported = "broker_unsupported"
  case forbidden = "broker_forbidden"
  case failed = "broker_error"
  case responseInvalid = "answer_invalid"
  case responseTooLong = "answer_too_long"
  case authorityUnsupported = "authority_unsupported"
  case accountUnknown = "account_unknown"
}

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
