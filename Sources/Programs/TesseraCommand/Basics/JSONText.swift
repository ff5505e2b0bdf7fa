// SPDX-License-Identifier: MIT
// The JSON documents of the command, which contain documents of the library.

/// A JSON value as text.
struct JSONText {
  /// The text.
  let text: String

  /// Creates a value from a JSON document of the library.
  static func document(_ text: String) -> JSONText { JSONText(text: text) }

  /// Creates a Boolean.
  static func bool(_ value: Bool) -> JSONText { JSONText(text: "\(value)") }

  /// Creates a number.
  static func number(_ value: Int64) -> JSONText { JSONText(text: "\(value)") }

  /// Creates a string.
  static func string(_ value: String) -> JSONText {
    let escaped = value.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\0"..<" ": scalar.jsonEscape
      default: String(scalar)
      }
    }
    return JSONText(text: "\"\(escaped.joined())\"")
  }

  /// Creates an array.
  static func array(_ elements: [JSONText]) -> JSONText {
    JSONText(text: "[\(elements.map(\.text).joined(separator: ","))]")
  }

  /// Creates an object without the members that have no value.
  static func object(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
    let texts = members.compactMap { name, value in
      value.map { "\(JSONText.string(name).text):\($0.text)" }
    }
    return JSONText(text: "{\(texts.joined(separator: ","))}")
  }
}
