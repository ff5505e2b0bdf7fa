// SPDX-License-Identifier: MIT
// A reader for binary property lists (`bplist00`) that parses objects on request.

import TesseraCache

/// The objects of a binary property list.
///
/// Every offset, count and width is range-checked before use. Objects may be shared, so that a small file can expand to
/// a very large value. Reading is therefore limited by a work budget of four times the size plus 4 MiB. A reader of a
/// legitimate file stays within it, because it reads each object a few times and shares strings such as names.
package struct BinaryPropertyList: Sendable {
  /// An object, with the numbers of the objects in it.
  package enum Node: Sendable {
    /// An object that contains no others.
    case leaf(PropertyList)
    case array(References)
    case dictionary(names: References, values: References)
  }

  /// The maximum size of a property list, in bytes.
  package static let maximumSize = 256 << 20

  /// The number of the root object.
  package let top: Int
  private let bytes: [UInt8]
  private let count: Int
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let tableStart: Int
  private var workLeft: Int
  private var valuesLeft = 0
  /// The strings that ``tree(_:depth:)`` has read.
  private var texts: [Int: String] = [:]

  /// Whether the bytes start like a binary property list.
  package static func isBegun(by bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: "bplist00".utf8)
  }

  /// Parses the trailer, which is the last 32 bytes.
  package init(_ bytes: [UInt8]) throws(LegacyCacheError) {
    let size = bytes.count
    guard BinaryPropertyList.isBegun(by: bytes), size >= 8 + 1 + 1 + 32 else {
      throw LegacyCacheError("property_list_invalid", "The data is not a binary property list.")
    }
    guard size <= BinaryPropertyList.maximumSize else {
      throw LegacyCacheError(
        "property_list_too_large",
        "The property list is larger than \(BinaryPropertyList.maximumSize >> 20) MB.")
    }
    let trailer = size - 32
    let widths = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let numbers = [8, 16, 24].map { bytes.bigEndian(at: trailer + $0, width: 8) ?? .max }
    guard (1...8).contains(widths.0), (1...8).contains(widths.1), numbers.count == 3,
      let start = Int(exactly: numbers[2]), (9..<trailer).contains(start),
      numbers[0] > 0, numbers[0] <= UInt64((trailer - start) / widths.0), numbers[1] < numbers[0],
      let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1])
    else {
      throw LegacyCacheError("property_list_invalid", "The property list has an invalid trailer.")
    }
    self.bytes = bytes
    self.count = count
    self.top = top
    (offsetWidth, referenceWidth, tableStart) = (widths.0, widths.1, start)
    workLeft = size * 4 + 4 << 20
  }

  /// Parses an object.
  package mutating func node(_ number: Int) throws(LegacyCacheError) -> Node {
    guard (0..<count).contains(number),
      let rawOffset = bytes.bigEndian(at: tableStart + number * offsetWidth, width: offsetWidth),
      let offset = Int(exactly: rawOffset), (8..<tableStart).contains(offset)
    else { throw BinaryPropertyList.invalid }
    try spend(1)
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return .leaf(try constant(marker))
    case 0x1: return .leaf(try parsedInteger(at: offset + 1, log: low))
    case 0x2: return .leaf(.real(try real(at: offset + 1, log: low)))
    case 0x3 where low == 3: return .leaf(.date(try real(at: offset + 1, log: low)))
    case 0x4: return .leaf(.data(Array(try content(at: offset))))
    case 0x5: return .leaf(.string(try ascii(try content(at: offset))))
    case 0x6: return .leaf(.string(utf16(try content(at: offset, width: 2))))
    case 0x8: return .leaf(.uid(try self.number(at: offset + 1, width: low + 1)))
    case 0xA: return .array(references(try content(at: offset, width: referenceWidth)))
    case 0xD:
      let all = try content(at: offset, width: referenceWidth * 2)
      let half = all.startIndex + all.count / 2
      return .dictionary(names: references(all[..<half]), values: references(all[half...]))
    default: throw BinaryPropertyList.invalid
    }
  }

  /// Parses an object with everything in it.
  ///
  /// - Parameter maximumCount: The maximum number of values.
  package mutating func tree(
    _ number: Int, maximumCount: Int = .max
  ) throws(LegacyCacheError) -> PropertyList {
    valuesLeft = maximumCount
    return try tree(number, depth: 32)
  }

  /// Whether the work budget is exhausted.
  package var isExhausted: Bool { workLeft <= 0 }

  static let invalid = LegacyCacheError(
    "property_list_invalid", "The property list contains an invalid object.")
}

extension BinaryPropertyList {
  /// Parses an object with everything in it, up to a nesting depth.
  ///
  /// - Parameter depth: The maximum nesting depth of arrays and dictionaries.
  private mutating func tree(_ number: Int, depth: Int) throws(LegacyCacheError) -> PropertyList {
    guard valuesLeft > 0 else {
      throw LegacyCacheError(
        "property_list_too_large", "An item of the property list has too many values.")
    }
    valuesLeft -= 1
    // A value needs more memory than its reference in the file.
    try spend(32)
    if let text = texts[number] {
      // The caller processes the string again.
      try spend(text.utf8.count * 4)
      return .string(text)
    }
    let node = try self.node(number)
    if case .leaf(let value) = node {
      if case .string(let text) = value { texts[number] = text }
      return value
    }
    guard depth > 0 else {
      throw LegacyCacheError("property_list_nested", "The property list is nested too deeply.")
    }
    switch node {
    case .leaf(let value): return value
    case .array(let numbers):
      var elements: [PropertyList] = []
      for number in numbers { elements.append(try tree(number, depth: depth - 1)) }
      return .array(elements)
    case .dictionary(let names, let values):
      var members: [PropertyList.Member] = []
      for (name, value) in zip(names, values) {
        guard let name = try tree(name, depth: 0).string else {
          throw BinaryPropertyList.invalid
        }
        members.append(.init(name, try tree(value, depth: depth - 1)))
      }
      return .dictionary(members)
    }
  }

  /// Subtracts work from the budget.
  ///
  /// - Throws: ``LegacyCacheError`` if the budget is exhausted.
  package mutating func spend(_ work: Int) throws(LegacyCacheError) {
    workLeft -= min(work, workLeft)
    guard workLeft > 0 else {
      throw LegacyCacheError(
        "property_list_too_large",
        "The property list is too large when its references are expanded.")
    }
  }

  private func constant(_ marker: UInt8) throws(LegacyCacheError) -> PropertyList {
    switch marker {
    case 0x00: .null
    case 0x08: .bool(false)
    case 0x09: .bool(true)
    default: throw BinaryPropertyList.invalid
    }
  }

  /// Parses an integer of `1 << log` bytes.
  ///
  /// Integers of one to four bytes are unsigned, those of eight bytes signed. Sixteen bytes encode values above `Int64.max`.
  private func parsedInteger(at offset: Int, log: Int) throws(LegacyCacheError) -> PropertyList {
    guard log <= 4, let value = bytes.bigEndian(at: offset, width: min(1 << log, 8)) else {
      throw BinaryPropertyList.invalid
    }
    guard log == 4 else { return .integer(Int64(bitPattern: value)) }
    guard let low = bytes.bigEndian(at: offset + 8, width: 8), value == 0 else {
      throw BinaryPropertyList.invalid
    }
    return Int64(exactly: low).map(PropertyList.integer) ?? .unsigned(low)
  }

  private func real(at offset: Int, log: Int) throws(LegacyCacheError) -> Double {
    guard log == 2 || log == 3, let bits = bytes.bigEndian(at: offset, width: 1 << log) else {
      throw BinaryPropertyList.invalid
    }
    return log == 2
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private func number(at offset: Int, width: Int) throws(LegacyCacheError) -> Int {
    guard width <= 8, let value = bytes.bigEndian(at: offset, width: width),
      let number = Int(exactly: value)
    else { throw BinaryPropertyList.invalid }
    return number
  }

  /// Returns the bytes after a marker with a count, after checking that they are within the data.
  private mutating func content(
    at offset: Int, width: Int = 1
  ) throws(LegacyCacheError) -> ArraySlice<UInt8> {
    var count = Int(bytes[offset] & 0x0F)
    var start = offset + 1
    if count == 0x0F {
      guard start < tableStart, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
        throw BinaryPropertyList.invalid
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      count = try number(at: start + 1, width: size)
      start += 1 + size
    }
    guard start <= tableStart, count <= (tableStart - start) / width else {
      throw BinaryPropertyList.invalid
    }
    try spend(count * width)
    return bytes[start..<start + count * width]
  }

  private func ascii(_ content: ArraySlice<UInt8>) throws(LegacyCacheError) -> String {
    guard content.allSatisfy({ $0 < 0x80 }) else { throw BinaryPropertyList.invalid }
    return String(decoding: content, as: UTF8.self)
  }

  private func utf16(_ content: ArraySlice<UInt8>) -> String {
    let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map { index in
      UInt16(content[index]) << 8 | UInt16(content[index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func references(_ content: ArraySlice<UInt8>) -> References {
    References(bytes: content, width: referenceWidth)
  }
}

extension [UInt8] {
  /// Returns a big-endian number of one to eight bytes, or `nil` if it is out of range.
  fileprivate func bigEndian(at offset: Int, width: Int) -> UInt64? {
    guard offset >= 0, offset <= count, width <= count - offset else { return nil }
    return self[offset..<offset + width].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
