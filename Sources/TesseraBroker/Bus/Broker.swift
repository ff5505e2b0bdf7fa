// SPDX-License-Identifier: MIT
// The connection to the identity broker of this machine.

package import TesseraEngine
import TesseraWire

/// Sends requests to the identity broker of this machine, if there is one.
package protocol Broker: Sendable {
  /// Sends one call to the broker, which the session bus may have to start, and returns its response.
  ///
  /// No state is kept between calls. An interactive call that ends early is also cancelled at the broker.
  ///
  /// - Parameters:
  ///   - correlationID: The identifier of the call, for the broker and for its cancellation.
  ///   - limits: The limits of the application's call. This call ends within 100 ms of them.
  ///   - brokerTimeoutMilliseconds: The timeout for the broker; `nil` for none besides the limits.
  func response(
    to call: LinuxBrokerCall, correlationID: String, within limits: CallLimits,
    brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse
}

/// The failure of a broker call.
package enum BrokerFailure: Error, Sendable {
  /// The broker is not installed, did not respond or does not support the call.
  case skipped(BrokerProblem, String)
  /// The broker returned an error.
  case errorResponse(LinuxBrokerErrorResponse)
  /// The call was cancelled or timed out.
  ///
  /// The state of the broker is unknown.
  case ended(TesseraError)

  /// Converts a parse failure.
  package init(_ failure: LinuxBrokerError) {
    switch failure {
    case .errorResponse(let errorResponse): self = .errorResponse(errorResponse)
    case .malformed(let error): self = .skipped(.responseInvalid, error.message)
    }
  }

  /// Parses a part of a response, and converts the failure.
  static func wrapping<Value>(
    _ body: () throws(LinuxBrokerError) -> Value
  ) throws(BrokerFailure) -> Value {
    do throws(LinuxBrokerError) {
      return try body()
    } catch {
      throw BrokerFailure(error)
    }
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

/// A machine without a broker: it skips every call.
package struct NoBroker: Broker {
  /// Creates the broker.
  package init() {}

  package func response(
    to call: LinuxBrokerCall, correlationID: String, within limits: CallLimits,
    brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse {
    throw .skipped(.noSessionBus, "there is no session bus")
  }
}
