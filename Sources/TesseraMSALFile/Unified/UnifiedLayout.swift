// SPDX-License-Identifier: MIT
// The white space of a document, used to format new entries like the existing ones.

import TesseraCache
import TesseraWire

/// The white space of a document.
struct UnifiedLayout: Sendable, Equatable {
  /// The bytes that start a new line, or none for a document on a single line.
  var newline: [UInt8] = []
  /// The indentation for each level.
  var indent: [UInt8] = []
  /// The separator between a name and its value.
  var colon: [UInt8] = [UInt8(ascii: ":")]
  /// The separator between two values.
  var comma: [UInt8] = [UInt8(ascii: ",")]

  /// The layout of most libraries, without white space.
  ///
  /// MSAL Python indents by four spaces.
  static let compact = UnifiedLayout()

  /// Starts a new line at an indentation level.
  func startLine(_ level: Int, _ output: inout [UInt8]) {
    guard !newline.isEmpty else { return }
    output += newline
    for _ in 0..<level { output += indent }
  }

  /// Writes a value at an indentation level.
  func write(_ value: JSONValue, _ level: Int, _ output: inout [UInt8]) {
    switch value {
    case .object(let object):
      writeList(("{", "}"), object.members, level, &output) { member, output in
        UnifiedLayout.write(member.name, &output)
        output += colon
        write(member.value, level + 1, &output)
      }
    case .array(let elements):
      writeList(("[", "]"), elements, level, &output) { element, output in
        write(element, level + 1, &output)
      }
    case .string(let text): UnifiedLayout.write(text, &output)
    default: output += value.bytes
    }
  }

  private func writeList<Element>(
    _ brackets: (open: Unicode.Scalar, close: Unicode.Scalar), _ elements: [Element],
    _ level: Int, _ output: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
  ) {
    output.append(UInt8(ascii: brackets.open))
    for (index, element) in elements.enumerated() {
      if index > 0 { output += comma }
      startLine(level + 1, &output)
      write(element, &output)
    }
    if !elements.isEmpty { startLine(level, &output) }
    output.append(UInt8(ascii: brackets.close))
  }

  /// Writes a string in ASCII, because MSAL Python reads the file in the encoding of the user's locale.
  static func write(_ text: String, _ output: inout [UInt8]) {
    let escaped = JSONValue.string(text).bytes
    guard escaped.contains(where: { $0 >= 0x80 }) else { return output += escaped }
    for unit in String(decoding: escaped, as: UTF8.self).utf16 {
      if unit < 0x80 {
        output.append(UInt8(truncatingIfNeeded: unit))
      } else {
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        output += "\\u".utf8
        output += Hexadecimal.text(bytes).utf8
      }
    }
  }
}
