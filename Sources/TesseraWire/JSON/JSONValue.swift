// SPDX-License-Identifier: MIT
// JSON values and their parser.

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

/// The reason why text is not valid JSON.
///
/// It contains a position but no content, which may be secret.
package struct JSONError: Error, Sendable, Equatable {
  /// The reason, for a developer.
  package let reason: String
  /// The byte offset of the error.
  package let offset: Int

  package init(reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONValue {
  /// The resource limits for parsing.
  package struct Limits: Sendable {
    /// The maximum size of the text, in bytes.
    package var bytes = 1 << 20
    /// The maximum nesting depth of arrays and objects.
    package var depth = 64

    package init(bytes: Int = 1 << 20, depth: Int = 64) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// Parses a complete JSON text.
  ///
  /// - Parameter displayMembers: The names of members in whose strings each unpaired surrogate is replaced with U+FFFD.
  ///   In other strings, it is an error.
  package init(
    parsing bytes: [UInt8], limits: Limits = Limits(), displayMembers: Set<String> = []
  ) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
      try JSONValue(
        parsing: UnsafeRawBufferPointer(bytes), limits: limits, displayMembers: displayMembers)
    }
  }

  /// Parses a complete JSON text in memory that may be overwritten afterwards.
  package init(
    parsing bytes: UnsafeRawBufferPointer, limits: Limits = Limits(),
    displayMembers: Set<String> = []
  ) throws(JSONError) {
    guard bytes.count <= limits.bytes else {
      throw JSONError(reason: "longer than \(limits.bytes) bytes", offset: 0)
    }
    var reader = JSONParser(bytes, depth: limits.depth, displayMembers: displayMembers)
    self = try reader.document()
  }

  /// Parses a complete JSON text.
  package init(parsing text: String, limits: Limits = Limits()) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Whether a text is a JSON object without escape sequences in its strings.
  ///
  /// Such a text can be inserted into another document. Nothing is allocated to check it.
  package static func isPlainObject(_ bytes: [UInt8], limits: Limits = Limits()) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count <= limits.bytes else { return false }
      var reader = JSONParser(bytes, depth: limits.depth, displayMembers: [])
      return (try? reader.plainObject()) != nil
    }
  }
}

/// A recursive-descent parser over bytes.
///
/// Every access is bounds-checked.
private struct JSONParser {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var depthLeft: Int
  private let displayMembers: Set<String>
  /// Whether unpaired surrogates are replaced in the current value.
  private var replacesSurrogates = false

  init(_ bytes: UnsafeRawBufferPointer, depth: Int, displayMembers: Set<String>) {
    self.bytes = bytes
    depthLeft = depth
    self.displayMembers = displayMembers
  }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value()
    try end()
    return value
  }

  /// Skips a document, which must be an object without escape sequences.
  mutating func plainObject() throws(JSONError) {
    skipSpace()
    guard peek() == UInt8(ascii: "{") else { throw error("not an object") }
    try skipValue()
    try end()
  }

  private mutating func end() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw error("trailing characters after the value") }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case nil: throw error("unexpected end of input")
    default: return .number(String(decoding: try number(), as: UTF8.self))
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try enter()
    var members = JSONObject()
    if try !closes(UInt8(ascii: "}")) {
      members.reserveMembers(JSONParser.usualMembers)
      repeat {
        skipSpace()
        replacesSurrogates = false
        let name = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"))
        replacesSurrogates = !displayMembers.isEmpty && displayMembers.contains(name)
        members.append(name, try value())
        replacesSurrogates = false
      } while try continues(until: UInt8(ascii: "}"))
    }
    depthLeft += 1
    return .object(members)
  }

  /// The number of members for which an object has space before it grows.
  private static let usualMembers = 12

  private mutating func array() throws(JSONError) -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    if try !closes(UInt8(ascii: "]")) {
      repeat {
        elements.append(try value())
      } while try continues(until: UInt8(ascii: "]"))
    }
    depthLeft += 1
    return .array(elements)
  }

  /// Skips a value whose strings have no escape sequences.
  private mutating func skipValue() throws(JSONError) {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{"):
      try enter()
      if try !closes(UInt8(ascii: "}")) {
        repeat {
          skipSpace()
          try skipString()
          skipSpace()
          try expect(UInt8(ascii: ":"))
          try skipValue()
        } while try continues(until: UInt8(ascii: "}"))
      }
      depthLeft += 1
    case UInt8(ascii: "["):
      try enter()
      if try !closes(UInt8(ascii: "]")) {
        repeat { try skipValue() } while try continues(until: UInt8(ascii: "]"))
      }
      depthLeft += 1
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "t"): _ = try literal("true", .null)
    case UInt8(ascii: "f"): _ = try literal("false", .null)
    case UInt8(ascii: "n"): _ = try literal("null", .null)
    case nil: throw error("unexpected end of input")
    default: _ = try number()
    }
  }

  private mutating func skipString() throws(JSONError) {
    let (content, isASCII) = try unescapedString()
    guard let content else { throw error("escape sequence in a string") }
    if !isASCII { _ = try text(content) }
  }

  private mutating func enter() throws(JSONError) {
    guard depthLeft > 0 else { throw error("nested too deeply") }
    depthLeft -= 1
    offset += 1
  }

  private mutating func closes(_ end: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard peek() == end else { return false }
    offset += 1
    return true
  }

  private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
    if try closes(end) { return false }
    try expect(UInt8(ascii: ","))
    return true
  }

  private mutating func literal(
    _ text: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let length = text.utf8CodeUnitCount
    let literal = UnsafeRawBufferPointer(start: text.utf8Start, count: length)
    guard bytes.count - offset >= length, self[offset..<offset + length].isSame(as: literal)
    else { throw error("invalid JSON value") }
    offset += length
    return value
  }

  private mutating func number() throws(JSONError) -> UnsafeRawBufferPointer {
    let start = offset
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    return self[start..<offset]
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw error("invalid JSON value") }
  }

  private mutating func string() throws(JSONError) -> String {
    let start = offset + 1
    let (content, isASCII) = try unescapedString()
    guard let content else { return try escapedString(from: start) }
    // ASCII is valid UTF-8, so it needs no validation. Tokens are pure ASCII.
    return isASCII ? String(decoding: content, as: UTF8.self) : try text(content)
  }

  /// Returns the content of a string and whether it is ASCII; stops with nil at an escape sequence or an error.
  private mutating func unescapedString() throws(JSONError) -> (UnsafeRawBufferPointer?, Bool) {
    try expect(UInt8(ascii: "\""))
    let start = offset
    offset = JSONStringScanner.endOfUnescapedRun(bytes, from: offset)
    let isASCII = peek() == UInt8(ascii: "\"")
    while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      offset += 1
    }
    guard peek() == UInt8(ascii: "\"") else { return (nil, false) }
    let content = self[start..<offset]
    offset += 1
    return (content, isASCII)
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var content = Array(self[start..<offset])
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return try content.withUnsafeBufferPointer { content throws(JSONError) in
          try text(UnsafeRawBufferPointer(content))
        }
      case UInt8(ascii: "\\"):
        offset += 1
        try escape(into: &content)
      case 0..<0x20:
        throw error("control character in a string")
      default:
        content.append(byte)
        offset += 1
      }
    }
    throw error("unterminated string")
  }

  private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
    guard let byte = peek() else { throw error("unterminated string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content.append(contentsOf: Array(String(try scalar()).utf8))
    default: throw error("unknown escape sequence in a string")
    }
  }

  /// Parses a `\u` escape or a surrogate pair (RFC 8259 section 7).
  ///
  /// Rejects or replaces unpaired surrogates, which UTF-8 cannot encode.
  private mutating func scalar() throws(JSONError) -> Character {
    let unit = try codeUnit()
    var value = UInt32(unit)
    if (0xD800..<0xDC00).contains(unit), let low = try lowSurrogate() {
      value = 0x10000 + (value - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    }
    if let scalar = Unicode.Scalar(value) { return Character(scalar) }
    guard replacesSurrogates else { throw error("unpaired surrogate in a string") }
    return "\u{FFFD}"
  }

  /// Parses the second half of a surrogate pair; nil without skipping anything if another character follows.
  private mutating func lowSurrogate() throws(JSONError) -> UInt16? {
    let start = offset
    if skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
      let unit = try codeUnit()
      if (0xDC00..<0xE000).contains(unit) { return unit }
    }
    offset = start
    return nil
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    guard offset + 4 <= bytes.count,
      self[offset..<offset + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: self[offset..<offset + 4], as: UTF8.self), radix: 16)
    else { throw error("unknown escape sequence in a string") }
    offset += 4
    return unit
  }

  private func text(_ content: UnsafeRawBufferPointer) throws(JSONError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("invalid UTF-8 in a string")
    }
    return text
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard skip(byte) else { throw error("expected \(Character(Unicode.Scalar(byte)))") }
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while let byte = peek(),
      byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C
    { offset += 1 }
  }

  @inline(__always)
  private func peek() -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// Returns a range of bytes, without those after the end of the text.
  @inline(__always)
  private subscript(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(reason: reason, offset: offset)
  }
}

/// Functions for the content of JSON strings.
package enum JSONStringScanner {
  /// Returns the end of a run of printable ASCII without quotes and backslashes.
  package static func endOfUnescapedRun(_ memory: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end + 8 <= memory.count,
      isPlain(memory.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    { end += 8 }
    while end < memory.count, memory[end] < 0x80,
      isPlain(UInt64(memory[end]) &* 0x0101_0101_0101_0101)
    { end += 1 }
    return end
  }

  /// Whether all eight bytes are printable ASCII, but not a quote or a backslash.
  ///
  /// A subtraction sets the highest bit of each byte that is too small. Before that, XOR with the searched character turns
  /// matching bytes into zero.
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = word &- ones &* 0x20
    let quote = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
    let backslash = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
    return (word | control | quote | backslash) & (ones &* 0x80) == 0
  }
}

/// A scanner for the elements of a JSON array or the members of a JSON object.
///
/// It splits at brackets, quotes and commas only. The content of an element is validated when the element is parsed.
/// The memory needed is therefore that of the longest element, for texts of any length.
package struct JSONElementScanner {
  private let bytes: [UInt8]
  private let end: Int
  private let close: UInt8
  private var offset: Int
  private var isFirst = true
  private var isDone = false

  /// Whether the text is an object.
  package var isObject: Bool { close == UInt8(ascii: "}") }

  /// Starts to scan an array or an object, which is the entire text or a part of it.
  ///
  /// Skips a byte order mark.
  ///
  /// - Throws: ``JSONError`` if the text does not start with `[` or `{`.
  package init(_ bytes: [UInt8], in part: Range<Int>? = nil) throws(JSONError) {
    self.bytes = bytes
    end = min(part?.upperBound ?? bytes.count, bytes.count)
    offset = max(part?.lowerBound ?? 0, 0)
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < end, JSONElementScanner.isSpace(bytes[offset]) { offset += 1 }
    switch offset < end ? bytes[offset] : 0 {
    case UInt8(ascii: "["): close = UInt8(ascii: "]")
    case UInt8(ascii: "{"): close = UInt8(ascii: "}")
    default: throw JSONError(reason: "neither an array nor an object", offset: offset)
    }
    offset += 1
  }

  /// Returns the byte range of the next element; nil after the last one.
  package mutating func next() throws(JSONError) -> Range<Int>? {
    guard try advance() else { return nil }
    return try value()
  }

  /// Returns the name of the next member and the byte range of its value; nil after the last one.
  package mutating func nextMember() throws(JSONError) -> (name: String, byteRange: Range<Int>)? {
    guard let name = try nextName() else { return nil }
    return (name, try value())
  }

  /// Returns the name of the next member; nil after the last one.
  ///
  /// The caller must then call ``value()``.
  package mutating func nextName() throws(JSONError) -> String? {
    guard try advance() else { return nil }
    let start = offset
    guard peek() == UInt8(ascii: "\"") else { throw error("expected a name") }
    try skipString()
    let name = try read(start..<offset).string ?? ""
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw error("expected :") }
    offset += 1
    return name
  }

  /// Skips the next value, at any nesting depth, and returns its byte range.
  package mutating func value() throws(JSONError) -> Range<Int> {
    let start = offset
    var depth = 0
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        try skipString()
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 {
          guard offset > start else { throw error("expected a value") }
          return start..<offset
        }
        if byte != UInt8(ascii: ",") { depth -= 1 }
      default: break
      }
      offset += 1
    }
    throw error("unexpected end of input")
  }

  /// Parses a byte range of the text.
  ///
  /// - Throws: ``JSONError``, with an offset relative to the start of the range.
  package func read(
    _ byteRange: Range<Int>, limits: JSONValue.Limits = .init()
  ) throws(JSONError) -> JSONValue {
    // One byte over the limit suffices to reject the value, so do not copy more.
    let value = bytes[byteRange.clamped(to: 0..<end)].prefix(limits.bytes + 1)
    return try JSONValue(parsing: Array(value), limits: limits)
  }
}

extension JSONElementScanner {
  /// Moves to the next element; false after the last one, which only white space may follow.
  private mutating func advance() throws(JSONError) -> Bool {
    guard !isDone else { return false }
    skipSpace()
    let byte = peek()
    if byte == close {
      offset += 1
      skipSpace()
      guard offset == end else { throw error("trailing characters after the value") }
      isDone = true
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw error("expected ,") }
      offset += 1
      skipSpace()
    }
    isFirst = false
    return true
  }

  private mutating func skipString() throws(JSONError) {
    offset += 1
    while offset < end {
      offset = bytes.withUnsafeBytes { JSONStringScanner.endOfUnescapedRun($0, from: offset) }
      let byte = peek()
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    offset = end
    throw error("unterminated string")
  }

  private mutating func skipSpace() {
    while let byte = peek(), JSONElementScanner.isSpace(byte) { offset += 1 }
  }

  private func peek() -> UInt8? {
    offset < end ? bytes[offset] : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(reason: reason, offset: offset)
  }
}
