// SPDX-License-Identifier: MIT
// A connection to a bus, driven on the calling thread, with every wait bounded by its limits.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// A connection to the session bus, for a few calls of one thread.
package final class BusConnection {
  /// The handle for the C functions of CTesseraSystem.
  let bus: OpaquePointer
  private let library: BusLibrary
  private let limits: BusLimits
  private let wake: WakePipe?
  /// The result slots of the calls.
  ///
  /// The D-Bus library may write to them until the connection is closed.
  private var replies: [UnsafeMutablePointer<ctessera_bus_reply>] = []

  /// Starts to connect, without waiting for the bus.
  ///
  /// - Parameters:
  ///   - address: The addresses of the bus. The first that can be reached is used (D-Bus Specification, Server Addresses).
  ///   - wake: The pipe that ends every wait when it becomes readable.
  /// - Throws: `unreachable` if no address can be reached.
  package init(
    _ library: BusLibrary, address: String, wake: WakePipe?, within limits: BusLimits
  ) throws(BusFailure) {
    var bus: OpaquePointer?
    var codes: [Int32] = []
    for each in address.split(separator: ";") where bus == nil {
      codes.append(ctessera_bus_connect(library.functions, String(each), &bus))
    }
    guard let bus else { throw .unreachable(codes.first ?? ENOENT) }
    self.library = library
    self.bus = bus
    self.wake = wake
    self.limits = limits
  }

  deinit {
    for reply in replies {
      if let message = reply.pointee.message { ctessera_bus_free_message(bus, message) }
    }
    ctessera_bus_close(bus)
    for reply in replies { reply.deallocate() }
  }

  /// Sends a call and waits for its response.
  ///
  /// - Throws: `errorReply` for an error response, `unreachable` if the connection failed, and the errors of the limits.
  package func reply(to call: BusCall) throws(BusFailure) -> BusReader {
    let reply = UnsafeMutablePointer<ctessera_bus_reply>.allocate(capacity: 1)
    reply.initialize(to: ctessera_bus_reply())
    replies.append(reply)
    let code = ctessera_bus_send(bus, try call.takeMessage(), reply)
    guard code == 0 else { throw .unreachable(code) }
    let message = try message(of: reply)
    if let name = ctessera_bus_error(bus, message) {
      let text = ctessera_bus_error_message(bus, message).map { String(cString: $0) }
      throw .errorReply(String(cString: name), text ?? "")
    }
    return BusReader(self, message)
  }

  /// Sends a call and ignores its response.
  ///
  /// Waits for the response for a limited time, regardless of the caller's limits, so that the call is sent.
  package func sendWithoutReply(
    _ call: BusCall, milliseconds: UInt64, _ time: any TimeSource
  ) {
    guard let message = try? call.takeMessage() else { return }
    let reply = UnsafeMutablePointer<ctessera_bus_reply>.allocate(capacity: 1)
    reply.initialize(to: ctessera_bus_reply())
    replies.append(reply)
    guard ctessera_bus_send(bus, message, reply) == 0 else { return }
    let end = time.monotonicNanoseconds &+ milliseconds &* 1_000_000
    while reply.pointee.message == nil, time.monotonicNanoseconds < end {
      let code = ctessera_bus_process(bus)
      if code > 0 { return }
      if code == 0 { ctessera_bus_wait(bus, -1, 5) }
    }
  }

  private func message(
    of reply: UnsafeMutablePointer<ctessera_bus_reply>
  ) throws(BusFailure) -> OpaquePointer {
    while true {
      if let message = reply.pointee.message { return message }
      try limits.check()
      let code = ctessera_bus_process(bus)
      if code == 0 {
        ctessera_bus_wait(bus, wake?.descriptor ?? -1, limits.millisecondsLeft)
      } else if code > 0 {
        throw .unreachable(code)
      }
    }
  }
}
