// SPDX-License-Identifier: MIT
// A sequential reader of D-Bus responses.

import CLibrary
import CTesseraSystem

/// A sequential reader of the values of a response.
///
/// Each method reads the next value and throws `unexpectedType` for another type.
package final class BusReader {
  private let connection: BusConnection
  private let message: OpaquePointer

  /// Creates a reader for a message that the connection owns.
  init(_ connection: BusConnection, _ message: OpaquePointer) {
    self.connection = connection
    self.message = message
  }

  /// Reads an object path (`o`).
  func path() throws(BusFailure) -> String {
    guard let path = next(BusType.path) else { throw .unexpectedType }
    return path
  }

  /// Reads a string (`s`).
  func text() throws(BusFailure) -> String {
    guard let text = next(BusType.text) else { throw .unexpectedType }
    return text
  }

  /// Reads a string (`s`).
  ///
  /// - Throws: `tooLong` if the string has more than `limit` bytes. It is then not copied.
  package func text(atMost limit: Int) throws(BusFailure) -> String {
    guard let text = ctessera_bus_read_text(connection.bus, message, BusType.text) else {
      throw .unexpectedType
    }
    guard strnlen(text, limit + 1) <= limit else { throw .tooLong(limit) }
    return String(cString: text)
  }

  /// Reads a Boolean (`b`).
  func bool() throws(BusFailure) -> Bool {
    var value = false
    guard ctessera_bus_read_bool(connection.bus, message, &value) else { throw .unexpectedType }
    return value
  }

  /// Reads a 64-bit unsigned integer (`t`).
  func number() throws(BusFailure) -> UInt64 {
    var value: UInt64 = 0
    guard ctessera_bus_read_number(connection.bus, message, &value) else { throw .unexpectedType }
    return value
  }

  /// Reads a byte array (`ay`).
  ///
  /// The pointer is valid as long as the message, which erases the bytes when it is freed.
  func bytes() throws(BusFailure) -> UnsafeRawBufferPointer {
    var start: UnsafeRawPointer?
    var count = 0
    guard ctessera_bus_read_bytes(connection.bus, message, &start, &count) else {
      throw .unexpectedType
    }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// Reads an array of object paths (`ao`).
  func paths() throws(BusFailure) -> [String] {
    try container(BusType.array, "o") { reader in
      var paths: [String] = []
      while let path = reader.next(BusType.path) { paths.append(path) }
      return paths
    }
  }

  /// Reads the contents of a container: a variant, an array or a structure.
  func container<Value>(
    _ type: CChar, _ contents: String, _ body: (BusReader) throws(BusFailure) -> Value
  ) throws(BusFailure) -> Value {
    guard ctessera_bus_enter_container(connection.bus, message, type, contents) else {
      throw .unexpectedType
    }
    let value = try body(self)
    guard ctessera_bus_exit_container(connection.bus, message) else { throw .unexpectedType }
    return value
  }

  private func next(_ type: CChar) -> String? {
    ctessera_bus_read_text(connection.bus, message, type).map { String(cString: $0) }
  }
}
