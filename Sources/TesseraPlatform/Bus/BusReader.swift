// SPDX-License-Identifier: MIT
// An answer of D-Bus, read from its beginning to its end.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The values of an answer, each read once and in their order.
final class BusReader {
  private let connection: BusConnection
  private let message: OpaquePointer

  /// Reads a message that the connection owns.
  init(_ connection: BusConnection, _ message: OpaquePointer) {
    self.connection = connection
    self.message = message
  }

  /// The path of an object (`o`).
  func path() throws(BusFailure) -> String {
    guard let path = next(BusType.path) else { throw .surprise }
    return path
  }

  /// A text (`s`).
  func text() throws(BusFailure) -> String {
    guard let text = next(BusType.text) else { throw .surprise }
    return text
  }

  /// A text (`s`) of at most so many bytes; a longer one is not copied.
  func text(atMost limit: Int) throws(BusFailure) -> String {
    guard let text = ctessera_bus_get_text(connection.bus, message, BusType.text) else {
      throw .surprise
    }
    guard strnlen(text, limit + 1) <= limit else { throw .tooLong(limit) }
    return String(cString: text)
  }

  /// A truth value (`b`).
  func bool() throws(BusFailure) -> Bool {
    var value = false
    guard ctessera_bus_get_bool(connection.bus, message, &value) else { throw .surprise }
    return value
  }

  /// A number (`t`).
  func number() throws(BusFailure) -> UInt64 {
    var value: UInt64 = 0
    guard ctessera_bus_get_number(connection.bus, message, &value) else { throw .surprise }
    return value
  }

  /// Bytes (`ay`); they are overwritten with the message.
  func bytes() throws(BusFailure) -> UnsafeRawBufferPointer {
    var start: UnsafeRawPointer?
    var count = 0
    guard ctessera_bus_get_bytes(connection.bus, message, &start, &count) else {
      throw .surprise
    }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The paths of an array (`ao`).
  func paths() throws(BusFailure) -> [String] {
    try container(BusType.array, "o") { reader in
      var paths: [String] = []
      while let path = reader.next(BusType.path) { paths.append(path) }
      return paths
    }
  }

  /// What belongs together: a variant, an array or a structure.
  func container<Value>(
    _ type: CChar, _ contents: String, _ body: (BusReader) throws(BusFailure) -> Value
  ) throws(BusFailure) -> Value {
    guard ctessera_bus_enter(connection.bus, message, type, contents) else {
      throw .surprise
    }
    let value = try body(self)
    guard ctessera_bus_leave(connection.bus, message) else { throw .surprise }
    return value
  }

  private func next(_ type: CChar) -> String? {
    ctessera_bus_get_text(connection.bus, message, type).map { String(cString: $0) }
  }
}
