// SPDX-License-Identifier: MIT
// A builder of D-Bus method calls.

import CTesseraSystem

/// A D-Bus method call, to which arguments are added in order.
package final class BusCall {
  private let connection: BusConnection
  private var message: OpaquePointer?
  private var isValid = true

  /// Creates a call without arguments.
  ///
  /// - Parameter starts: Whether the bus may activate the service.
  package init(
    _ connection: BusConnection, _ service: String, path: String, interface: String,
    _ method: String, starts: Bool = false
  ) {
    self.connection = connection
    message = ctessera_bus_call(connection.bus, service, path, interface, method, starts)
  }

  deinit {
    ctessera_bus_free_message(connection.bus, message)
  }

  /// Returns the message and gives up its ownership.
  ///
  /// - Throws: `invalidCall` if an argument was invalid or memory ran out.
  func takeMessage() throws(BusFailure) -> OpaquePointer {
    guard isValid, let message else { throw .invalidCall }
    self.message = nil
    return message
  }

  /// Adds a string (`s`).
  @discardableResult
  package func text(_ value: String) -> BusCall {
    add { ctessera_bus_append_text($0, $1, BusType.text, value) }
  }

  /// Adds an object path (`o`).
  @discardableResult
  func path(_ value: String) -> BusCall {
    add { ctessera_bus_append_text($0, $1, BusType.path, value) }
  }

  /// Adds a Boolean (`b`).
  @discardableResult
  func bool(_ value: Bool) -> BusCall {
    add { ctessera_bus_append_bool($0, $1, value) }
  }

  /// Adds a byte array (`ay`).
  @discardableResult
  func bytes(_ value: UnsafeRawBufferPointer) -> BusCall {
    add { ctessera_bus_append_bytes($0, $1, value.baseAddress, value.count) }
  }

  /// Adds a container: a variant, an array, a structure or a dictionary entry.
  @discardableResult
  func container(
    _ type: CChar, _ contents: String, _ body: (BusCall) -> Void
  ) -> BusCall {
    add { ctessera_bus_open_container($0, $1, type, contents) }
    body(self)
    return add { ctessera_bus_close_container($0, $1) }
  }

  /// Adds a dictionary of strings (`a{ss}`).
  @discardableResult
  func dictionary(_ entries: [(name: String, value: String)]) -> BusCall {
    container(BusType.array, "{ss}") { call in
      for entry in entries {
        call.container(BusType.entry, "ss") { $0.text(entry.name).text(entry.value) }
      }
    }
  }

  @discardableResult
  private func add(_ put: (OpaquePointer, OpaquePointer) -> Bool) -> BusCall {
    if isValid, let message { isValid = put(connection.bus, message) }
    return self
  }
}

/// The type codes of D-Bus.
enum BusType {
  static let text = letter("s")
  static let path = letter("o")
  static let array = letter("a")
  static let entry = letter("e")
  static let structure = letter("r")
  static let variant = letter("v")

  private static func letter(_ scalar: Unicode.Scalar) -> CChar {
    CChar(truncatingIfNeeded: scalar.value)
  }
}
