// SPDX-License-Identifier: MIT
// A scanner that splits a long JSON text into elements, so that a damaged element does not affect the others.

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
