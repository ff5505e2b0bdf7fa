// SPDX-License-Identifier: MIT
// JSON values: reading members, references into them, and serialization.

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

/// The members of a JSON object, in order.
package struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// All members, including repeated names.
  ///
  /// The last member with a name is the effective one.
  package private(set) var members: [(name: String, value: JSONValue)]

  /// Creates an object from its members.
  package init(_ members: [(String, JSONValue)] = []) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members)
  }

  /// The value of a member.
  ///
  /// Setting nil removes it; setting an existing member preserves its position.
  package subscript(_ name: String) -> JSONValue? {
    get {
      // Iterate by index: a copy of each member would retain two references. Comparing lengths first rejects most names.
      let length = name.utf8.count
      var index = members.count
      while index > 0 {
        index -= 1
        if members[index].name.utf8.count == length, members[index].name.hasBytes(of: name) {
          return members[index].value
        }
      }
      return nil
    }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let index = members.lastIndex(where: { $0.name == name }) {
        members[index].value = newValue
      } else {
        members.append((name, newValue))
      }
    }
  }

  /// Reserves space for a number of members.
  mutating func reserveMembers(_ count: Int) { members.reserveCapacity(count) }

  /// Appends a member with a new name.
  ///
  /// Faster than the subscript, which searches for the name.
  package mutating func append(_ name: String, _ value: JSONValue) {
    members.append((name, value))
  }

  /// Appends a string member with a new name.
  ///
  /// Does nothing if the string is nil.
  package mutating func append(_ name: String, _ text: String?) {
    guard let text else { return }
    members.append((name, .string(text)))
  }

  /// Appends a member with a new name.
  ///
  /// Does nothing if the value is nil.
  package mutating func append(_ name: String, _ value: JSONValue?) {
    guard let value else { return }
    members.append((name, value))
  }

  /// Returns this object with the members of another one added; the other's values win.
  package func overlaid(with other: JSONObject) -> JSONObject {
    var result = self
    for member in other.members { result[member.name] = member.value }
    return result
  }

  /// Whether two objects have the same members, in any order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.isSame(as: right)
  }

  /// Whether two objects have the same members, in any order, ignoring some names.
  package func isSame(as other: JSONObject, ignoring ignored: Set<String> = []) -> Bool {
    if let isEqual = isSameInOrder(other, ignoring: ignored) { return isEqual }
    return valuesByName(ignoring: ignored) == other.valuesByName(ignoring: ignored)
  }

  /// Compares two small objects with the same unique names in the same order; nil if they do not have this form.
  private func isSameInOrder(_ other: JSONObject, ignoring ignored: Set<String>) -> Bool? {
    guard members.count == other.members.count, members.count <= 32 else { return nil }
    var isSame = true
    for index in members.indices {
      let name = members[index].name
      guard name == other.members[index].name,
        !members[..<index].contains(where: { $0.name == name })
      else { return nil }
      guard isSame, members[index].value != other.members[index].value else { continue }
      isSame = ignored.contains(name)
    }
    return isSame
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Set(texts: members.map(\.name)))
  }

  /// Returns the effective value of each name, which is the last one.
  private func valuesByName(ignoring ignored: Set<String>) -> [ExactString: JSONValue] {
    let pairs = members.lazy.filter { !ignored.contains($0.name) }
      .map { (ExactString($0.name), $0.value) }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}

/// The reference tokens of a JSON Pointer such as `/accounts/0/username`.
package struct JSONPointer: Sendable, Hashable {
  /// The unescaped names of members and indices of elements, outermost first.
  private let tokens: [String]

  /// Parses a pointer; nil if it is not empty and does not start with `/`, or has an incomplete escape.
  ///
  /// The empty pointer selects the whole document.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.first?.isEmpty != false else { return nil }
    var tokens: [String] = []
    for part in parts.dropFirst() {
      guard let token = JSONPointer.unescaped(Array(part)) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// Returns the selected value; nil if the document has no such value.
  package func value(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      guard let next = JSONPointer.child(token, of: value) else { return nil }
      value = next
    }
    return value
  }

  /// Returns a member or an element of a value; nil if it has none with this name or index.
  ///
  /// Names are compared by their bytes. Of several members with the same name, the last one is returned.
  private static func child(_ token: String, of value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let object):
      return object.members.last { $0.name.utf8.elementsEqual(token.utf8) }?.value
    case .array(let elements):
      // An index has no leading zero. The parser of integers would accept a sign.
      guard let index = Int(token), String(index) == token, elements.indices.contains(index)
      else { return nil }
      return elements[index]
    default:
      return nil
    }
  }

  /// Replaces `~1` by `/` and `~0` by `~`; nil for any other use of `~`.
  private static func unescaped(_ part: [UInt8]) -> String? {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The JSON text as UTF-8 bytes.
  package var bytes: [UInt8] {
    bytes(reserving: 256)
  }

  /// Returns the JSON text as UTF-8 bytes, in an array with space for the expected size.
  package func bytes(reserving size: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(size)
    write(to: &output)
    return output
  }

  /// The JSON text.
  package var serialized: String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let digits): output.append(contentsOf: digits.utf8)
    case .string(let text): JSONValue.write(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSONValue.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      // Copy runs that need no escape at once. A token is a single run.
      var start = bytes.startIndex
      while true {
        let end = JSONStringScanner.endOfUnescapedRun(UnsafeRawBufferPointer(bytes), from: start)
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
        guard end < bytes.endIndex else { return }
        start = end + 1
        let byte = bytes[end]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          writeEscape(of: byte, to: &output)
        } else {
          output.append(byte)
        }
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func writeEscape(of byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x09: output.append(UInt8(ascii: "t"))
    default:
      let hexadecimal = Array("0123456789abcdef".utf8)
      output.append(contentsOf: "u00".utf8)
      output.append(hexadecimal[Int(byte >> 4)])
      output.append(hexadecimal[Int(byte & 0x0F)])
    }
  }
}
