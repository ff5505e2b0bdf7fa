// SPDX-License-Identifier: MIT
// The port to the identity broker of this machine.

package import TesseraWire

/// Asks the identity broker that runs beside the user's programs, where there is one.
package protocol Broker: Sendable {
  /// What the broker answers to one call; it may be started for it.
  ///
  /// Nothing is kept between two calls. An interactive call that ends early is cancelled at the broker as well.
  ///
  /// - Parameters:
  ///   - correlationID: names the call, at the broker and to whoever cancels it.
  ///   - limits: those of the program's call, within 100 ms of which this one ends.
  ///   - patience: milliseconds that the broker has by itself; nil for as long as the limits allow.
  func answer(
    to call: LinuxBrokerCall, named correlationID: String, within limits: CallLimits,
    patience: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerAnswer
}

/// Why a broker did not do what it was asked.
package enum BrokerFailure: Error, Sendable {
  /// It was not there, did not answer, or cannot do it.
  case skipped(BrokerProblem, String)
  /// It says no.
  case refused(LinuxBrokerRefusal)
  /// The call ended, which says nothing about the broker.
  case ended(TesseraError)

  /// What came instead of an answer.
  package init(_ failure: LinuxBrokerFailure) {
    switch failure {
    case .refused(let refusal): self = .refused(refusal)
    case .malformed(let error): self = .skipped(.answerInvalid, error.message)
    }
  }

  /// Reads a part of an answer.
  static func wrapping<Value>(
    _ body: () throws(LinuxBrokerFailure) -> Value
  ) throws(BrokerFailure) -> Value {
    do throws(LinuxBrokerFailure) {
      return try body()
    } catch {
      throw BrokerFailure(error)
    }
  }
}

/// A machine without a broker.
package struct NoBroker: Broker {
  package init() {}

  package func answer(
    to call: LinuxBrokerCall, named correlationID: String, within limits: CallLimits,
    patience: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerAnswer {
    throw .skipped(.noSessionBus, "there is no session bus")
  }
}
