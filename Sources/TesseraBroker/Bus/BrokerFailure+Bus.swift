// SPDX-License-Identifier: MIT
// Conversion of D-Bus failures to broker failures.

import CLibrary
import TesseraEngine
import TesseraPlatform
import TesseraWire

extension BrokerFailure {
  /// Converts a D-Bus failure of a broker call.
  init(_ failure: BusFailure) {
    self =
      switch failure {
      case .libraryMissing(let problems):
        .skipped(
          .libraryMissing,
          "it requires libsystemd 221 or newer (Debian, Ubuntu: libsystemd0): \(problems)")
      case .unreachable(let code): BrokerFailure.unreachable(code)
      case .invalidCall: .skipped(.failed, "the call could not be created")
      case .errorReply(let name, let message): BrokerFailure.errorReply(name, message)
      case .unexpectedType:
        .skipped(.unsupported, "its response is not a single string")
      case .tooLong(let limit):
        .skipped(.responseTooLong, "its response has more than \(limit) bytes")
      case .timeout: .skipped(.timeout, "it did not respond in time")
      case .ended(let error): .ended(error)
      }
  }

  private static func unreachable(_ code: Int32) -> BrokerFailure {
    switch code {
    case ENOENT, ECONNREFUSED: .skipped(.noSessionBus, "there is no session bus")
    case EPERM: .skipped(.noSessionBus, "the session bus belongs to another user")
    case ECONNRESET, EPIPE, ENOTCONN:
      .skipped(.ended, "the session bus closed the connection during the call")
    // connect(2) on a Unix socket returns EAGAIN while the listener's backlog is full.
    case EAGAIN, ETIMEDOUT: .skipped(.timeout, "the session bus did not respond in time")
    case EMFILE, ENFILE: .ended(.tooManyFiles("The session bus"))
    default:
      .skipped(
        .noSessionBus, "the session bus cannot be used: \(String(cString: strerror(code)))")
    }
  }

  /// Converts an error response of the bus or the broker.
  ///
  /// The names are those of the D-Bus Specification, and those that the brokers are known to send.
  private static func errorReply(_ name: String, _ message: String) -> BrokerFailure {
    let text = message.plain(atMost: 300)
    let prefix = "org.freedesktop.DBus.Error."
    guard name.hasPrefix(prefix) else {
      return .skipped(.failed, "it returned the error \(name.prefix(100)): \(text)")
    }
    switch name.dropFirst(prefix.count) {
    case "ServiceUnknown", "NameHasNoOwner":
      return .skipped(
        .notRunning, "no broker is running on the session bus, and none could be started")
    case let error where error == "NoServer" || error.hasPrefix("Spawn."):
      return .skipped(.notRunning, "it could not be started: \(text)")
    case "NoReply", "Disconnected":
      return .skipped(.ended, "it exited during the call")
    case "TimedOut", "Timeout": return .skipped(.timeout, "it did not respond in time: \(text)")
    case "UnknownMethod", "UnknownObject", "UnknownInterface", "InvalidArgs", "InvalidSignature",
      "NotSupported":
      return .skipped(.unsupported, "its version does not support this request: \(text)")
    case "AccessDenied", "AuthFailed":
      return .skipped(.forbidden, "the session bus denies access to it: \(text)")
    default: return .skipped(.failed, "it returned the error \(name.prefix(100)): \(text)")
    }
  }
}
