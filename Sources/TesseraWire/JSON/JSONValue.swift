// SPDX-License-Identifier: MIT
// A lossless JSON tree: it preserves the order of members, unknown members and the digits of numbers.

/// A JSON value.
///
/// Numbers keep their text, so that values of other libraries in a shared cache are written back unchanged.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number, as its original text.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Creates a number from an integer.
  package static func integer(_ value: Int64) -> JSONValue {
    .number(String(value))
  }

  /// Creates an array of strings.
  package static func strings(_ list: [String]) -> JSONValue {
    .array(list.map(JSONValue.string))
  }

  /// The content of a string; nil for other kinds.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The content of a string or the text of a number; nil for other kinds.
  ///
  /// Servers use `"3600"` and `3600` interchangeably.
  package var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// The integer value of a number or a numeric string; nil for other values.
  ///
  /// A fraction is truncated. Exponents are supported.
  package var integer: Int64? {
    guard let text = text?.trimmed else { return nil }
    if let value = Int64(text) { return value }
    guard let value = Double(text), value.isFinite else { return nil }
    return Int64(exactly: value.rounded(.towardZero))
  }

  /// The value of a boolean or of the strings `true` and `false`; nil for other values.
  package var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"): true
    case .string("false"): false
    default: nil
    }
  }

  /// The members of an object; nil for other kinds.
  package var object: JSONObject? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array; nil for other kinds.
  package var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The kind of the value, for a message to a developer.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(JSONObject(members))
  }
}
