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
  private let library: BusLibrary
  /// What the functions of the shim take.
  let bus: OpaquePointer
  private let limits: KeyLimits
  private let wake: WakePipe?

  /// Begins to connect; nothing waits for the bus yet.
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
    ctessera_bus_close(bus)
  }

  /// Waits for the answer of a call that was sent.
  ///
  /// - Throws: the error that the answer is.
  func answer(_ pending: BusAnswer) throws(KeyFailure) -> BusReader {
    while pending.message == nil {
      let code = ctessera_bus_advance(bus)
      if pending.message != nil { break }
      guard code == 0 else { throw BusConnection.failure(code) }
      try limits.check()
      ctessera_bus_wait(bus, wake?.descriptor ?? -1, limits.millisecondsLeft)
    }
    guard let message = pending.message else { throw BusConnection.failure(ENOMEM) }
    if let name = ctessera_bus_error(bus, message) {
      throw BusConnection.failure(named: String(cString: name))
    }
    return BusReader(self, pending, message)
  }

  /// Why there is no way to the bus.
  static func failure(_ code: Int32) -> KeyFailure {
    .refused(.noBus, "the session bus cannot be used: \(String(cString: strerror(code)))")
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

/// The answer of a call, once it has come.
final class BusAnswer {
  private let bus: OpaquePointer
  private let connection: BusConnection
  private let memory: UnsafeMutablePointer<ctessera_bus_answer>

  /// Sends a call, and takes it over.
  init(to call: BusWriter, on connection: BusConnection) throws(KeyFailure) {
    self.connection = connection
    bus = connection.bus
    memory = .allocate(capacity: 1)
    memory.initialize(to: ctessera_bus_answer())
    guard let message = call.taken() else { throw BusConnection.failure(ENOMEM) }
    let code = ctessera_bus_send(bus, message, memory)
    guard code == 0 else { throw BusConnection.failure(code) }
  }

  deinit {
    if let message = memory.pointee.message { ctessera_bus_drop(bus, message) }
    memory.deallocate()
  }

  /// The message; nil until it has come.
  var message: OpaquePointer? { memory.pointee.message }
}
