// SPDX-License-Identifier: MIT
// Reads property lists in XML: the few elements that Apple's have, and nothing else of XML.

import TesseraWire

/// A reader over bytes; it goes forward only, and knows no entities but the five of XML and those of numbers.
package struct XMLPropertyList {
  private let bytes: [UInt8]
  private var offset = 0
  private var depthLeft = 32

  /// Reads a whole property list.
  package static func read(_ bytes: [UInt8]) throws(LegacyDamage) -> PropertyList {
    guard bytes.count <= BinaryPropertyList.maximumSize else {
      throw LegacyDamage("property_list_too_large", "The property list is longer than any cache.")
    }
    var reader = XMLPropertyList(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
    var tag = try reader.tag()
    if tag.name == "plist", tag.kind == .start { tag = try reader.tag() }
    return try reader.value(tag)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private struct Tag {
    enum Kind { case start, end, empty }
    let name: String
    let kind: Kind
  }

  private static let invalid = LegacyDamage(
    "property_list_invalid", "This is not a property list in XML.")
}

extension XMLPropertyList {
  private mutating func value(_ tag: Tag) throws(LegacyDamage) -> PropertyList {
    guard tag.kind != .end else { throw XMLPropertyList.invalid }
    switch tag.name {
    case "dict": return .dictionary(try members(tag))
    case "array": return .array(try elements(tag))
    case "true", "false":
      if tag.kind == .start { _ = try text(tag) }
      return .bool(tag.name == "true")
    case "string", "key", "date": return .string(try text(tag))
    case "data":
      let text = try text(tag).filter { !$0.isWhitespace }
      guard let bytes = Base64URL.decodeEither(text) else { throw XMLPropertyList.invalid }
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

  private mutating func members(_ tag: Tag) throws(LegacyDamage) -> [PropertyList.Member] {
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

  private mutating func elements(_ tag: Tag) throws(LegacyDamage) -> [PropertyList] {
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

  private mutating func enter() throws(LegacyDamage) {
    guard depthLeft > 0 else {
      throw LegacyDamage("property_list_nested", "The property list is nested too deeply.")
    }
    depthLeft -= 1
  }

  /// The next tag, past white space, comments, declarations and instructions.
  private mutating func tag() throws(LegacyDamage) -> Tag {
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
        // What a document defines for itself could stand for very much.
        guard !bytes[start..<offset].contains(UInt8(ascii: "[")) else {
          throw XMLPropertyList.invalid
        }
      } else {
        return try element()
      }
    }
  }

  private mutating func element() throws(LegacyDamage) -> Tag {
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

  /// What stands between a tag and its end.
  private mutating func text(_ tag: Tag) throws(LegacyDamage) -> String {
    guard tag.kind == .start else { return "" }
    var content: [UInt8] = []
    while let byte = peek() {
      if isAt("<![CDATA[") {
        let start = offset + 9
        try skip(past: "]]>")
        guard start <= offset - 3 else { throw XMLPropertyList.invalid }
        content += bytes[start..<offset - 3]
      } else if isAt("<!--") {
        try skip(past: "-->")
      } else if byte == UInt8(ascii: "<") {
        let end = try element()
        guard end.kind == .end, end.name == tag.name,
          let text = String(validating: content, as: UTF8.self)
        else { throw XMLPropertyList.invalid }
        return text
      } else if byte == UInt8(ascii: "&") {
        content += try reference()
      } else {
        content.append(byte)
        offset += 1
      }
    }
    throw XMLPropertyList.invalid
  }

  private mutating func reference() throws(LegacyDamage) -> [UInt8] {
    let name = bytes[(offset + 1)...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
    offset += name.count + 2
    let text = String(decoding: name, as: UTF8.self)
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let character = known[text] { return Array(character.utf8) }
    let isHexadecimal = text.hasPrefix("#x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 1)
    let value = UInt32(digits, radix: isHexadecimal ? 16 : 10)
    guard text.hasPrefix("#"), let scalar = value.flatMap(Unicode.Scalar.init) else {
      throw XMLPropertyList.invalid
    }
    return Array(String(scalar).utf8)
  }

  private mutating func skip(past end: String) throws(LegacyDamage) {
    let end = Array(end.utf8)
    while offset < bytes.count {
      if bytes[offset...].starts(with: end) {
        offset += end.count
        return
      }
      offset += 1
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
