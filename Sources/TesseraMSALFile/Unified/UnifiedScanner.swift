// SPDX-License-Identifier: MIT
// A JSON scanner (RFC 8259) that skips values without decoding them. A call needs only a small part of a long cache.

import TesseraCache
import TesseraWire

/// A strict, bounds-checked JSON scanner.
struct UnifiedScanner {
  private let memory: UnsafeRawBufferPointer
  /// The current offset, in bytes.
  private(set) var offset = 0
  /// Whether a string contained non-ASCII bytes.
  private(set) var hasNonASCII = false

  /// The maximum nesting depth, the same as for other JSON documents.
  private static let maximumDepth = 64

  init(_ memory: UnsafeRawBufferPointer) {
    self.memory = memory
  }

  /// Skips white space and returns the next byte, or `nil` at the end.
  @inline(__always)
  mutating func next() -> UInt8? {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
    return peek()
  }

  /// Skips white space and a required byte.
  mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard next() == byte else { throw error("expected \(Character(Unicode.Scalar(byte)))") }
    offset += 1
  }

  /// Whether the bytes at an offset are the same as a range of another document.
  func matches(_ piece: Range<Int>, of other: [UInt8], at start: Int) -> Bool {
    guard piece.upperBound <= other.count, start + piece.count <= memory.count else { return false }
    return other.withUnsafeBytes { other in
      UnsafeRawBufferPointer(rebasing: memory[start..<start + piece.count])
        .isSame(as: UnsafeRawBufferPointer(rebasing: other[piece]))
    }
  }

  /// Moves to an offset, after bytes that are known to be valid.
  mutating func skipKnown(to end: Int) {
    offset = end
  }

  /// Skips white space and a byte, if it is the next one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard next() == byte else { return false }
    offset += 1
    return true
  }

  /// Scans an object and calls `body` before the value of each member.
  ///
  /// `body` must skip the value.
  mutating func object(
    _ body: (inout UnifiedScanner, Range<Int>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return }
    repeat {
      _ = next()
      let start = offset
      try string()
      let name = start..<offset
      try expect(UInt8(ascii: ":"))
      _ = next()
      try body(&self, name)
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// Skips a value.
  mutating func value(_ depth: Int = 0) throws(JSONError) {
    switch next() {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { throw error("nested too deeply") }
      try object { scanner, _ throws(JSONError) in try scanner.value(depth + 1) }
    case UInt8(ascii: "["): try array(depth)
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case nil: throw error("unexpected end of input")
    default: try number()
    }
  }

  private mutating func array(_ depth: Int) throws(JSONError) {
    guard depth < Self.maximumDepth else { throw error("nested too deeply") }
    offset += 1
    if skip(UInt8(ascii: "]")) { return }
    repeat { try value(depth + 1) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  private mutating func literal(_ text: StaticString) throws(JSONError) {
    let end = offset + text.utf8CodeUnitCount
    guard end <= memory.count,
      memory[offset..<end].elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    else { throw error("invalid JSON value") }
    offset = end
  }

  private mutating func number() throws(JSONError) {
    if peek() == UInt8(ascii: "-") { offset += 1 }
    if peek() == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if peek() == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = peek(), (0x30...0x39).contains(byte) { offset += 1 }
    guard offset > start else { throw error("invalid JSON value") }
  }

  private mutating func string() throws(JSONError) {
    guard peek() == UInt8(ascii: "\"") else { throw error("expected \"") }
    offset += 1
    while true {
      offset = JSONStringScanner.endOfUnescapedRun(memory, from: offset)
      switch peek() {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case nil: throw error("unterminated string")
      case .some(let byte):
        guard byte >= 0x20 else { throw error("control character in a string") }
        hasNonASCII = hasNonASCII || byte >= 0x80
        offset += 1
      }
    }
  }

  private mutating func escape() throws(JSONError) {
    offset += 1
    guard let byte = peek() else { throw error("unterminated string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let digit = peek(), Character(Unicode.Scalar(digit)).isHexDigit else {
          throw error("unknown escape sequence in a string")
        }
        offset += 1
      }
    default: throw error("unknown escape sequence in a string")
    }
  }

  @inline(__always)
  private func peek() -> UInt8? {
    offset < memory.count ? memory[offset] : nil
  }

  /// Returns an error at the current offset.
  func error(_ reason: String) -> JSONError {
    JSONError(reason: reason, offset: offset)
  }
}
