// SPDX-License-Identifier: MIT
// A writer for binary property lists (`bplist00`). Like Apple's writer, it writes equal strings and numbers once.

import TesseraCache

extension PropertyList {
  /// The value as a binary property list.
  package var binary: [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(self)
    return writer.bytes
  }
}

private struct BinaryPropertyListWriter {
  private enum Flat {
    case leaf(PropertyList)
    case array([Int])
    case dictionary([Int])
  }

  private var objects: [Flat] = []
  private var leaves: [PropertyList: Int] = [:]

  mutating func add(_ value: PropertyList) -> Int {
    let number = objects.count
    switch value {
    case .array(let elements):
      objects.append(.array([]))
      objects[number] = .array(elements.map { add($0) })
    case .dictionary(let members):
      objects.append(.dictionary([]))
      let names = members.map { add(.string($0.name)) }
      objects[number] = .dictionary(names + members.map { add($0.value) })
    default:
      if let known = leaves[value] { return known }
      leaves[value] = number
      objects.append(.leaf(value))
    }
    return number
  }

  var bytes: [UInt8] {
    var output = Array("bplist00".utf8)
    var offsets: [Int] = []
    let width = BinaryPropertyListWriter.width(of: objects.count)
    for object in objects {
      offsets.append(output.count)
      switch object {
      case .leaf(let value): BinaryPropertyListWriter.write(value, to: &output)
      case .array(let numbers):
        BinaryPropertyListWriter.write(0xA0, count: numbers.count, to: &output)
        for number in numbers { output.append(UInt64(number), width: width) }
      case .dictionary(let numbers):
        BinaryPropertyListWriter.write(0xD0, count: numbers.count / 2, to: &output)
        for number in numbers { output.append(UInt64(number), width: width) }
      }
    }
    let start = output.count
    let offsetWidth = BinaryPropertyListWriter.width(of: start)
    for offset in offsets { output.append(UInt64(offset), width: offsetWidth) }
    output += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(width)]
    for number in [objects.count, 0, start] { output.append(UInt64(number), width: 8) }
    return output
  }

  private static func write(_ value: PropertyList, to output: inout [UInt8]) {
    switch value {
    case .null: output.append(0x00)
    case .bool(let value): output.append(value ? 0x09 : 0x08)
    case .integer(let value):
      let width = value < 0 ? 8 : width(of: Int(clamping: value))
      output.append(0x10 | UInt8(width.trailingZeroBitCount))
      output.append(UInt64(bitPattern: value), width: width)
    case .unsigned(let value):
      output.append(0x14)
      output.append(0, width: 8)
      output.append(value, width: 8)
    case .real(let value):
      output.append(0x23)
      output.append(value.bitPattern, width: 8)
    case .date(let value):
      output.append(0x33)
      output.append(value.bitPattern, width: 8)
    case .data(let bytes):
      write(0x40, count: bytes.count, to: &output)
      output += bytes
    case .string(let text): write(text, to: &output)
    case .uid(let objectIndex):
      let width = width(of: objectIndex)
      output.append(0x80 | UInt8(width - 1))
      output.append(UInt64(clamping: objectIndex), width: width)
    case .array, .dictionary: break  // They are not leaves.
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
      write(0x50, count: text.utf8.count, to: &output)
      output += text.utf8
      return
    }
    write(0x60, count: text.utf16.count, to: &output)
    for unit in text.utf16 { output.append(UInt64(unit), width: 2) }
  }

  /// Writes a marker with a count.
  ///
  /// A count of 15 or more is written as a separate integer.
  private static func write(_ marker: UInt8, count: Int, to output: inout [UInt8]) {
    guard count >= 15 else { return output.append(marker | UInt8(count)) }
    output.append(marker | 0x0F)
    write(.integer(Int64(count)), to: &output)
  }

  /// Returns the number of bytes for a number: one, two, four or eight.
  private static func width(of number: Int) -> Int {
    switch number {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}

extension [UInt8] {
  /// Appends the low bytes of a number in big-endian order.
  fileprivate mutating func append(_ number: UInt64, width: Int) {
    for byte in (0..<width).reversed() {
      append(UInt8(truncatingIfNeeded: number >> UInt64(byte * 8)))
    }
  }
}
