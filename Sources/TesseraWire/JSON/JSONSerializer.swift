// SPDX-License-Identifier: MIT
// A JSON serializer without white space, which preserves the order of members and the text of numbers.

extension JSONValue {
  /// The JSON text as UTF-8 bytes.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(256)
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
        output.append(contentsOf: bytes[start..<end])
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
