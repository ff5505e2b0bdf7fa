// SPDX-License-Identifier: MIT
// A JSON text as a tree that loses nothing: member order, unknown members and the digits of numbers stay.

/// A JSON value.
///
/// Numbers keep their text, so that what other programs wrote into a shared cache leaves it digit for digit.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number with its digits as they were written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// A whole number.
  package static func integer(_ value: Int64) -> JSONValue {
    .number(String(value))
  }

  /// The text of a string; nil for every other kind.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The text of a string or the digits of a number: servers write `"3600"` and `3600` for the same thing.
  package var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// A whole number, from a number or from a text of digits; a fraction is cut off, an exponent is read.
  package var integer: Int64? {
    guard let text = text?.trimmed else { return nil }
    if let value = Int64(text) { return value }
    guard let value = Double(text), value.isFinite else { return nil }
    return Int64(exactly: value.rounded(.towardZero))
  }

  /// A truth value; the texts `true` and `false` count as well.
  package var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"): true
    case .string("false"): false
    default: nil
    }
  }

  /// The members of an object; nil for every other kind.
  package var object: JSONObject? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array; nil for every other kind.
  package var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// What kind of value this is, for a message to a developer.
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
