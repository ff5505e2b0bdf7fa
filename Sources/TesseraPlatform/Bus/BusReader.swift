// SPDX-License-Identifier: MIT
// An answer of D-Bus, read from its beginning to its end.

import CTesseraSystem
import TesseraEngine

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
  func path() throws(KeyFailure) -> String {
    guard let path = next(BusType.path) else { throw BusReader.surprise }
    return path
  }

  /// A text (`s`).
  func text() throws(KeyFailure) -> String {
    guard let text = next(BusType.text) else { throw BusReader.surprise }
    return text
  }

  /// A truth value (`b`).
  func bool() throws(KeyFailure) -> Bool {
    var value = false
    guard ctessera_bus_get_bool(connection.bus, message, &value) else { throw BusReader.surprise }
    return value
  }

  /// A number (`t`).
  func number() throws(KeyFailure) -> UInt64 {
    var value: UInt64 = 0
    guard ctessera_bus_get_number(connection.bus, message, &value) else { throw BusReader.surprise }
    return value
  }

  /// Bytes (`ay`); they are overwritten with the message.
  func bytes() throws(KeyFailure) -> UnsafeRawBufferPointer {
    var start: UnsafeRawPointer?
    var count = 0
    guard ctessera_bus_get_bytes(connection.bus, message, &start, &count) else {
      throw BusReader.surprise
    }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The paths of an array (`ao`).
  func paths() throws(KeyFailure) -> [String] {
    try container(BusType.array, "o") { reader in
      var paths: [String] = []
      while let path = reader.next(BusType.path) { paths.append(path) }
      return paths
    }
  }

  /// What belongs together: a variant, an array or a structure.
  func container<Value>(
    _ type: CChar, _ contents: String, _ body: (BusReader) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    guard ctessera_bus_enter(connection.bus, message, type, contents) else {
      throw BusReader.surprise
    }
    let value = try body(self)
    guard ctessera_bus_leave(connection.bus, message) else { throw BusReader.surprise }
    return value
  }

  private func next(_ type: CChar) -> String? {
    ctessera_bus_get_text(connection.bus, message, type).map { String(cString: $0) }
  }

  private static let surprise = KeyFailure.refused(
    .failed, "its answer is not what the specification of the Secret Service says")
}
