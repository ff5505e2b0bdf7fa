// SPDX-License-Identifier: MIT
// A reader for XML property lists, which supports only the XML features that they use.

import TesseraCache
import TesseraWire

/// A forward-only reader.
///
/// It supports the five predefined entities and character references, but no others.
package struct XMLPropertyList {
  private let bytes: [UInt8]
  private var offset = 0
  private var depthLeft = 32
  private var valuesLeft = LegacyLimits.members

  /// Parses a property list.
  package static func read(_ bytes: [UInt8]) throws(LegacyCacheError) -> PropertyList {
    var reader = try XMLPropertyList(bytes)
    return try reader.value(try reader.first())
  }

  /// Calls `emit` with each element of the root array, or with the root value if it is not an array.
  ///
  /// Memory use is limited to the bytes of the list and one element.
  package static func elements(
    of bytes: [UInt8], _ emit: (PropertyList) throws(LegacyCacheError) -> Void
  ) throws(LegacyCacheError) {
    var reader = try XMLPropertyList(bytes)
    let first = try reader.first()
    guard first.name == "array" else { return try emit(try reader.value(first)) }
    guard first.kind == .start else { return }
    while true {
      let next = try reader.tag()
      guard next.kind != .end else {
        guard next.name == first.name else { throw XMLPropertyList.invalid }
        return
      }
      reader.valuesLeft = LegacyLimits.members
      try emit(try reader.value(next))
    }
  }

  private init(_ bytes: [UInt8]) throws(LegacyCacheError) {
    guard bytes.count <= BinaryPropertyList.maximumSize else {
      throw LegacyCacheError(
        "property_list_too_large",
        "The property list is larger than \(BinaryPropertyList.maximumSize >> 20) MB.")
    }
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Returns the tag of the root value.
  private mutating func first() throws(LegacyCacheError) -> Tag {
    let tag = try tag()
    return tag.name == "plist" && tag.kind == .start ? try self.tag() : tag
  }

  private struct Tag {
    enum Kind { case start, end, empty }
    let name: String
    let kind: Kind
  }

  private static let invalid = LegacyCacheError(
    "property_list_invalid", "The data is not an XML property list.")
  private static let tooLarge = LegacyCacheError(
    "property_list_too_large", "An item of the property list is too large.")
}

extension XMLPropertyList {
  private mutating func value(_ tag: Tag) throws(LegacyCacheError) -> PropertyList {
    guard tag.kind != .end else { throw XMLPropertyList.invalid }
    guard valuesLeft > 0 else { throw XMLPropertyList.tooLarge }
    valuesLeft -= 1
    switch tag.name {
    case "dict": return .dictionary(try members(tag))
    case "array": return .array(try elements(tag))
    case "true", "false":
      if tag.kind == .start { _ = try text(tag) }
      return .bool(tag.name == "true")
    case "string", "key", "date": return .string(try text(tag))
    case "data":
      let text = try content(tag).filter { $0 > 0x20 }
      guard let bytes = Base64URL.decodeAnyAlphabet(String(decoding: text, as: UTF8.self)) else {
        throw XMLPropertyList.invalid
      }
      return .data(bytes)
    case "integer":
      let text = try text(tag).trimmed
      if let value = Int64(text) { return .integer(value) }
      guard let value = UInt64(text) else { throw XMLPropertyList.invalid }
      return .unsigned(value)
    case "real":
      guard let value = Double(try text(tag).trimmed) else { throw XMLPropertyList.invalid }
      return .real(value)
    default: throw XMLPropertyList.invalid
    }
  }

  private mutating func members(_ tag: Tag) throws(LegacyCacheError) -> [PropertyList.Member] {
    guard tag.kind == .start else { return [] }
    try enter()
    var members: [PropertyList.Member] = []
    while true {
      let next = try self.tag()
      if next.kind == .end {
        guard next.name == tag.name else { throw XMLPropertyList.invalid }
        depthLeft += 1
        return members
      }
      guard next.name == "key" else { throw XMLPropertyList.invalid }
      let name = try text(next)
      members.append(.init(name, try value(try self.tag())))
    }
  }

  private mutating func elements(_ tag: Tag) throws(LegacyCacheError) -> [PropertyList] {
    guard tag.kind == .start else { return [] }
    try enter()
    var elements: [PropertyList] = []
    while true {
      let next = try self.tag()
      if next.kind == .end {
        guard next.name == tag.name else { throw XMLPropertyList.invalid }
        depthLeft += 1
        return elements
      }
      elements.append(try value(next))
    }
  }

  private mutating func enter() throws(LegacyCacheError) {
    guard depthLeft > 0 else {
      throw LegacyCacheError("property_list_nested", "The property list is nested too deeply.")
    }
    depthLeft -= 1
  }

  /// Returns the next tag, skipping white space, comments, declarations and processing instructions.
  private mutating func tag() throws(LegacyCacheError) -> Tag {
    while true {
      while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
      guard peek() == UInt8(ascii: "<") else { throw XMLPropertyList.invalid }
      if isAt("<!--") {
        try skip(past: "-->")
      } else if isAt("<?") {
        try skip(past: "?>")
      } else if isAt("<!DOCTYPE") {
        let start = offset
        try skip(past: ">")
        // Reject an internal DTD subset: its entities could expand to a very large value.
        guard !bytes[start..<offset].contains(UInt8(ascii: "[")) else {
          throw XMLPropertyList.invalid
        }
      } else {
        return try element()
      }
    }
  }

  private mutating func element() throws(LegacyCacheError) -> Tag {
    let start = offset + 1
    try skip(past: ">")
    var content = bytes[start..<offset - 1]
    guard content.count < 256 else { throw XMLPropertyList.invalid }
    let isEnd = content.first == UInt8(ascii: "/")
    if isEnd { content.removeFirst() }
    let isEmpty = content.last == UInt8(ascii: "/")
    if isEmpty { content.removeLast() }
    let name = content.prefix { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return Tag(
      name: String(decoding: name, as: UTF8.self), kind: isEnd ? .end : isEmpty ? .empty : .start)
  }

  /// Returns the text content of an element.
  private mutating func text(_ tag: Tag) throws(LegacyCacheError) -> String {
    guard let text = String(validating: try content(tag), as: UTF8.self) else {
      throw XMLPropertyList.invalid
    }
    return text
  }

  private mutating func content(_ tag: Tag) throws(LegacyCacheError) -> [UInt8] {
    guard tag.kind == .start else { return [] }
    var content: [UInt8] = []
    while let byte = peek() {
      if byte == UInt8(ascii: "&") {
        content += try reference()
      } else if byte != UInt8(ascii: "<") {
        let start = offset
        while let byte = peek(), byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
          offset += 1
        }
        guard offset - start <= LegacyLimits.value else { throw XMLPropertyList.tooLarge }
        content += bytes[start..<offset]
      } else if isAt("<![CDATA[") {
        let start = offset + 9
        try skip(past: "]]>")
        guard start <= offset - 3 else { throw XMLPropertyList.invalid }
        guard offset - start <= LegacyLimits.value else { throw XMLPropertyList.tooLarge }
        content += bytes[start..<offset - 3]
      } else if isAt("<!--") {
        try skip(past: "-->")
      } else {
        let end = try element()
        guard end.kind == .end, end.name == tag.name else { throw XMLPropertyList.invalid }
        return content
      }
      guard content.count <= LegacyLimits.value else { throw XMLPropertyList.tooLarge }
    }
    throw XMLPropertyList.invalid
  }

  private mutating func reference() throws(LegacyCacheError) -> [UInt8] {
    let name = bytes[(offset + 1)...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
    offset += name.count + 2
    let text = String(decoding: name, as: UTF8.self)
    switch text {
    case "amp": return [UInt8(ascii: "&")]
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let isHexadecimal = text.hasPrefix("#x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 1)
    let value = UInt32(digits, radix: isHexadecimal ? 16 : 10)
    guard text.hasPrefix("#"), let scalar = value.flatMap(Unicode.Scalar.init) else {
      throw XMLPropertyList.invalid
    }
    return Array(String(scalar).utf8)
  }

  private mutating func skip(past end: String) throws(LegacyCacheError) {
    let end = Array(end.utf8)
    let last = end.last ?? 0
    // Compare only after the last byte of the terminator, which is rare elsewhere.
    while let byte = peek() {
      offset += 1
      if byte == last, bytes[..<offset].suffix(end.count).elementsEqual(end) { return }
    }
    throw XMLPropertyList.invalid
  }

  private func isAt(_ text: String) -> Bool {
    bytes[min(offset, bytes.count)...].starts(with: text.utf8)
  }

  private func peek() -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }
}
