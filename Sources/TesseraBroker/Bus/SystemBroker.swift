// SPDX-License-Identifier: MIT
// The identity broker on the session bus of this user.

import CLibrary
package import TesseraEngine
package import TesseraPlatform
import TesseraWire

/// The identity broker that the session bus runs or activates.
///
/// Each call opens its own connection and closes it at the end, so no two processes ever share one. Addresses that would
/// start a bus (`autolaunch:`) are ignored. The first call loads the D-Bus library.
package struct SystemBroker: Broker {
  /// The maximum time for sending the cancellation of an interactive call, in milliseconds.
  private static let cancellationMilliseconds: UInt64 = 50

  private let address: String?
  private let libraries: [String]
  private let time: any TimeSource
  private let signInLock: InteractiveSignInLock

  /// Creates the broker of this session, without opening a connection.
  ///
  /// - Parameter signInLock: The lock that limits the application to one sign-in window at a time.
  package init(time: any TimeSource, signInLock: InteractiveSignInLock) {
    self.init(address: nil, libraries: BusLibrary.names, time: time, signInLock: signInLock)
  }

  /// Creates a broker.
  ///
  /// - Parameters:
  ///   - address: The address of the bus; nil to read it from the environment at each call.
  ///   - libraries: The file names of D-Bus client libraries. The first that loads is used.
  init(
    address: String?, libraries: [String], time: any TimeSource, signInLock: InteractiveSignInLock
  ) {
    self.address = address
    self.libraries = libraries
    self.time = time
    self.signInLock = signInLock
  }

  package func response(
    to call: LinuxBrokerCall, correlationID: String, within limits: CallLimits,
    brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse {
    guard call.method == .interactive else {
      return try parsedResponse(to: call, correlationID, limits, brokerTimeoutMilliseconds)
    }
    do throws(TesseraError) {
      try signInLock.acquire(within: limits)
    } catch {
      throw .ended(error)
    }
    defer { signInLock.release() }
    return try parsedResponse(to: call, correlationID, limits, brokerTimeoutMilliseconds)
  }

  /// Calls a method and parses the text that it returns.
  private func parsedResponse(
    to call: LinuxBrokerCall, _ correlationID: String, _ limits: CallLimits,
    _ brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse {
    let text: String
    do throws(BusFailure) {
      text = try self.text(call, correlationID, limits, brokerTimeoutMilliseconds)
    } catch {
      throw BrokerFailure(error)
    }
    do throws(LinuxBrokerError) {
      return try LinuxBrokerResponse(text)
    } catch {
      throw BrokerFailure(error)
    }
  }

  /// Calls a method and returns the text of its response.
  private func text(
    _ call: LinuxBrokerCall, _ correlationID: String, _ limits: CallLimits,
    _ brokerTimeoutMilliseconds: Int64?
  ) throws(BusFailure) -> String {
    let own = brokerTimeoutMilliseconds.map {
      CallLimits(timeoutMilliseconds: $0, time: time).deadlineNanoseconds ?? .max
    }
    let busLimits = BusLimits(limits, time, endBy: own ?? .max)
    try busLimits.check()
    guard let address = address ?? BusAddress.session else { throw .unreachable(ENOENT) }
    let library = try BusLibrary(names: libraries)
    let wake = WakePipe()
    func work() throws(BusFailure) -> String {
      let connection = try BusConnection(
        library, address: address, wake: wake, within: busLimits)
      return try text(call, correlationID, connection)
    }
    guard let cancellation = limits.cancellation else { return try work() }
    guard let wake else { throw .ended(.tooManyFiles("The session bus")) }
    return try cancellation.waking(with: { wake.wake() }, work)
  }

  private func text(
    _ call: LinuxBrokerCall, _ correlationID: String, _ connection: BusConnection
  ) throws(BusFailure) -> String {
    do throws(BusFailure) {
      return try connection.reply(to: message(call, correlationID, connection, starts: true))
        .text(atMost: LinuxBroker.maximumResponseSize)
    } catch {
      if case .ended = error, call.method == .interactive {
        // The sign-in window is still open. The broker closes it on a cancellation with the same correlation ID.
        let stop = message(.cancelInteractive, correlationID, connection, starts: false)
        connection.sendWithoutReply(stop, milliseconds: Self.cancellationMilliseconds, time)
      }
      throw error
    }
  }

  private func message(
    _ call: LinuxBrokerCall, _ correlationID: String, _ connection: BusConnection, starts: Bool
  ) -> BusCall {
    BusCall(
      connection, LinuxBroker.service, path: LinuxBroker.path, interface: LinuxBroker.interface,
      call.method.rawValue, starts: starts
    ).text(LinuxBroker.protocolVersion).text(correlationID).text(call.text)
  }
}
