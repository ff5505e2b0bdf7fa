// SPDX-License-Identifier: MIT
// One connection to a bus, driven on the calling thread, which never waits past its limits.

import CTesseraSystem
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection to the session bus, for a few calls of one thread.
final class BusConnection {
  /// What the functions of the shim take.
  let bus: OpaquePointer
  private let library: BusLibrary
  private let limits: KeyLimits
  private let wake: WakePipe?
  /// Where answers are written; the library may do so until the connection is closed.
  private var answers: [UnsafeMutablePointer<ctessera_bus_answer>] = []

  /// Begins to connect; nothing waits for the bus yet.
  ///
  /// - Parameter wake: ends every wait when it can be read.
  init(
    _ library: BusLibrary, address: String, wake: WakePipe?, within limits: KeyLimits
  ) throws(KeyFailure) {
    var bus: OpaquePointer?
    let code = ctessera_bus_connect(library.functions, address, &bus)
    guard code == 0, let bus else { throw BusConnection.failure(code) }
    self.library = library
    self.bus = bus
    self.wake = wake
    self.limits = limits
  }

  deinit {
    for answer in answers {
      if let message = answer.pointee.message { ctessera_bus_drop(bus, message) }
    }
    ctessera_bus_close(bus)
    for answer in answers { answer.deallocate() }
  }

  /// Sends a call and waits for its answer.
  ///
  /// - Throws: the error that the answer is.
  func answer(to call: BusCall) throws(KeyFailure) -> BusReader {
    let answer = UnsafeMutablePointer<ctessera_bus_answer>.allocate(capacity: 1)
    answer.initialize(to: ctessera_bus_answer())
    answers.append(answer)
    let code = ctessera_bus_send(bus, try call.taken(), answer)
    guard code == 0 else { throw BusConnection.failure(code) }
    let message = try message(of: answer)
    if let name = ctessera_bus_error(bus, message) {
      throw BusConnection.failure(named: String(cString: name))
    }
    return BusReader(self, message)
  }

  private func message(
    of answer: UnsafeMutablePointer<ctessera_bus_answer>
  ) throws(KeyFailure) -> OpaquePointer {
    while true {
      if let message = answer.pointee.message { return message }
      try limits.check()
      let code = ctessera_bus_advance(bus)
      if code == 0 {
        ctessera_bus_wait(bus, wake?.descriptor ?? -1, limits.millisecondsLeft)
      } else if code > 0 {
        throw BusConnection.failure(code)
      }
    }
  }
}

extension BusConnection {
  /// Why there is no way to the bus.
  static func failure(_ code: Int32) -> KeyFailure {
    let reason = code == EPERM ? "it is another user's" : String(cString: strerror(code))
    return .refused(.noBus, "the session bus cannot be used: \(reason)")
  }

  /// What an error of the bus or of a service means.
  static func failure(named name: String) -> KeyFailure {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      .refused(.noService, "no program on the session bus keeps secrets")
    case "org.freedesktop.Secret.Error.IsLocked": .refused(.locked, "the keyring is locked")
    case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownMethod":
      .refused(.noCollection, "it does not have what it names: \(name)")
    case "org.freedesktop.DBus.Error.AccessDenied": .refused(.blocked, "it refuses: \(name)")
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
      .refused(.failed, "it ended during the call")
    default: .refused(.failed, "it answered with the error \(name.prefix(100))")
    }
  }
}
