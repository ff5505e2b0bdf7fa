// SPDX-License-Identifier: MIT
// Whether the identity broker of the machine is asked, and what became of asking it.

/// Whether the identity broker of this machine gives tokens (``ApplicationConfiguration/broker``).
public enum BrokerPolicy: String, Sendable, CaseIterable {
  /// It is not asked.
  case never
  /// It is asked first; where it does not help, the call goes on without it.
  case prefer
  /// Tokens come from it or from the cache, and from no server.
  ///
  /// A device code and a page that the program shows itself (``PublicClientApplication/beginSignIn(_:cancellation:)``) are
  /// refused then; Microsoft Authenticator and the single sign-on extension are brokers, and may be asked.
  case require
}

extension PublicClientApplication {
  /// Throws where a broker is required: for a sign-in that would go past it.
  func checkBroker(_ flow: String) throws(TesseraError) {
    guard configuration.broker == .require else { return }
    throw TesseraError(
      .fixConfiguration, .flowUnsupported,
      "\(flow) signs in without the broker, which is required: sign in interactively, or set broker to \"prefer\"."
    )
  }
}

/// Why a broker was skipped: the `reason` of a ``BrokerVisit``.
package enum BrokerProblem: String, Sendable, CaseIterable {
  case noSessionBus = "no_session_bus"
  case libraryMissing = "library_missing"
  case notRunning = "broker_not_running"
  case timeout = "broker_timeout"
  case ended = "broker_ended"
  case unsupported = "broker_unsupported"
  case forbidden = "broker_forbidden"
  case failed = "broker_error"
  case answerInvalid = "answer_invalid"
  case answerTooLong = "answer_too_long"
  case authorityUnsupported = "authority_unsupported"
  case accountUnknown = "account_unknown"
}

/// What became of asking a broker for a token.
public struct BrokerVisit: Sendable, Hashable {
  /// What became of it.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The token is the broker's.
    case used
    /// The call went on without it.
    case skipped
  }

  /// Which broker, such as `linux`.
  public let broker: String
  /// What became of it.
  public let outcome: Outcome
  /// Why it was skipped, as a word of docs/brokers.md; nil if it was used.
  ///
  /// The set is open. A refusal of the broker has the code of the error that it would be.
  public let reason: String?
  /// The same for a developer; empty if it was used.
  public let message: String

  /// The token is the broker's.
  package static let used = BrokerVisit(.used, nil, "")

  /// The call went on without the broker.
  init(skipped error: TesseraError) {
    let cause = error.causes.first { $0.domain == .broker && $0.code != nil }
    self.init(.skipped, cause?.code ?? error.code.rawValue, error.message)
  }

  private init(_ outcome: Outcome, _ reason: String?, _ message: String) {
    broker = "linux"
    self.outcome = outcome
    self.reason = reason
    self.message = message
  }
}
