// SPDX-License-Identifier: MIT
// Where the elements of a long JSON text lie, so that each can be read by itself and a damaged one spoils no other.

/// The elements of a JSON array or the members of a JSON object, one after another.
///
/// They are told apart by brackets, quotes and commas alone; what stands between those is looked at when it is read. So a
/// text of any length takes the memory of its longest element.
package struct JSONSpans {
  private let bytes: [UInt8]
  private let end: Int
  private let close: UInt8
  private var offset: Int
  private var isFirst = true
  private var isDone = false

  /// Whether it is an object.
  package var isObject: Bool { close == UInt8(ascii: "}") }

  /// The array or the object that a text is, or a part of it; a byte order mark before it is passed.
  package init(_ bytes: [UInt8], in part: Range<Int>? = nil) throws(JSONError) {
    self.bytes = bytes
    end = min(part?.upperBound ?? bytes.count, bytes.count)
    offset = max(part?.lowerBound ?? 0, 0)
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < end, JSONSpans.isSpace(bytes[offset]) { offset += 1 }
    switch offset < end ? bytes[offset] : 0 {
    case UInt8(ascii: "["): close = UInt8(ascii: "]")
    case UInt8(ascii: "{"): close = UInt8(ascii: "}")
    default: throw JSONError(reason: "neither an array nor an object", offset: offset)
    }
    offset += 1
  }

  /// Where the next element lies; nil after the last one.
  package mutating func next() throws(JSONError) -> Range<Int>? {
    guard try advance() else { return nil }
    return try value()
  }

  /// The name of the next member, and where its value lies; nil after the last one.
  package mutating func nextMember() throws(JSONError) -> (name: String, place: Range<Int>)? {
    guard let name = try nextName() else { return nil }
    return (name, try value())
  }

  /// The name of the next member, whose value has to be passed then; nil after the last one.
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

  /// Passes the next value, however deep it is: where it lies.
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
    throw error("the text ends too early")
  }

  /// Reads what lies somewhere in the text.
  ///
  /// - Throws: ``JSONError``, whose offset counts from the start of that place.
  package func read(
    _ place: Range<Int>, limits: JSONValue.Limits = .init()
  ) throws(JSONError) -> JSONValue {
    // One byte too many is enough to refuse it: the rest need not be copied.
    let value = bytes[place.clamped(to: 0..<end)].prefix(limits.bytes + 1)
    return try JSONValue(parsing: Array(value), limits: limits)
  }
}

extension JSONSpans {
  /// Moves to the next element; false after the last one, when nothing but space may follow.
  private mutating func advance() throws(JSONError) -> Bool {
    guard !isDone else { return false }
    skipSpace()
    let byte = peek()
    if byte == close {
      offset += 1
      skipSpace()
      guard offset == end else { throw error("something follows the end of the value") }
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
      offset = bytes.withUnsafeBytes { JSONText.plainEnd($0, from: offset) }
      let byte = peek()
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    offset = end
    throw error("a string without an end")
  }

  private mutating func skipSpace() {
    while let byte = peek(), JSONSpans.isSpace(byte) { offset += 1 }
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
