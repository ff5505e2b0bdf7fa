// SPDX-License-Identifier: MIT
// Files of groups with keys and values, as desktops have them: read whatever they hold, changed without losing a line.

import TesseraWire

/// The lines of a desktop entry or of a list of associations (Desktop Entry Specification, section 3).
///
/// Every sequence of bytes is such a file; what is no group and no pair stays where it is and means nothing.
package struct EntryText: Sendable {
  /// What a line is.
  enum Line: Equatable {
    /// `[name]`
    case group(String)
    /// `key=value`, without the white space around each.
    case pair(String, String)
    /// A comment, an empty line, or anything else.
    case other
  }

  /// The lines, without what ends them.
  private(set) var lines: [ArraySlice<UInt8>]
  private let endsWithBreak: Bool

  /// Takes the bytes of a file.
  package init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    endsWithBreak = bytes.last == 0x0A || bytes.isEmpty
    if endsWithBreak { lines.removeLast() }
  }

  /// The file, every line of which ends.
  package var bytes: [UInt8] {
    let all = lines.map { Array($0) }.joined(separator: [0x0A])
    return Array(all) + (lines.isEmpty ? [] : [0x0A])
  }

  /// The values of a key in all groups of a name, in their order; a file should have one and may have more.
  package func values(of key: String, in group: String) -> [String] {
    places(of: key, in: group).compactMap { index in
      guard case .pair(_, let value) = line(at: index) else { return nil }
      return value
    }
  }

  /// The lines that have a key in groups of a name.
  func places(of key: String, in group: String) -> [Int] {
    var isInside = false
    return lines.indices.filter { index in
      switch line(at: index) {
      case .group(let name): isInside = name == group
      case .pair(key, _) where isInside: return true
      case .pair, .other: break
      }
      return false
    }
  }

  /// The line that begins the first group of a name; nil if there is none.
  func place(ofGroup group: String) -> Int? {
    lines.indices.first { line(at: $0) == .group(group) }
  }

  /// What a line is.
  func line(at index: Int) -> Line {
    guard lines.indices.contains(index) else { return .other }
    let text = EntryText.trimmed(lines[index])
    guard let first = text.first, first != UInt8(ascii: "#") else { return .other }
    if first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return .other }
      return .group(String(decoding: text[..<end].dropFirst(), as: UTF8.self))
    }
    guard let mark = text.firstIndex(of: UInt8(ascii: "=")) else { return .other }
    let key = EntryText.trimmed(text[..<mark])
    let value = EntryText.trimmed(text[mark...].dropFirst())
    return .pair(String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension EntryText {
  /// Puts another line in the place of one, or removes it.
  mutating func replace(lineAt index: Int, with text: String?) {
    guard lines.indices.contains(index) else { return }
    lines.replaceSubrange(index...index, with: text.map { [ArraySlice($0.utf8)] } ?? [])
  }

  /// Puts a line behind one.
  mutating func insert(_ text: String, behind index: Int) {
    guard lines.indices.contains(index) else { return }
    lines.insert(ArraySlice(text.utf8), at: index + 1)
  }

  /// Puts a group at the end, behind an empty line, with one line in it.
  mutating func append(group: String, with text: String) {
    if let last = lines.last, !last.isEmpty { lines.append([]) }
    lines += ["[\(group)]", text].map { ArraySlice($0.utf8) }
  }

  private func isGroup(at index: Int) -> Bool {
    if case .group = line(at: index) { true } else { false }
  }

  /// Removes the groups of a name that have nothing in them, and the empty lines in front of them.
  mutating func removeEmptyGroups(named group: String) {
    for index in lines.indices.reversed() where line(at: index) == .group(group) {
      // What ends a group is the next one; a line that only looks like one belongs to it.
      let end = lines.indices.first { $0 > index && !lines[$0].isEmpty } ?? lines.endIndex
      guard end == lines.endIndex || isGroup(at: end) else { continue }
      var start = index
      while start > 0, lines[start - 1].isEmpty { start -= 1 }
      lines.removeSubrange(start..<(start == 0 || end == lines.endIndex ? end : index + 1))
    }
  }
}

extension String {
  /// The items of a value that is a list, also where the semicolon is one character with what stands before it.
  var entryItems: [String] {
    unicodeScalars.split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// A value with its escapes resolved (Desktop Entry Specification, section 4); unknown ones stay as they are.
  var entryUnescaped: String {
    var text = ""
    var isEscaped = false
    for scalar in unicodeScalars {
      guard isEscaped else {
        if scalar == "\\" { isEscaped = true } else { text.unicodeScalars.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "s": text += " "
      case "n": text += "\n"
      case "t": text += "\t"
      case "r": text += "\r"
      case "\\": text += "\\"
      default:
        text += "\\"
        text.unicodeScalars.append(scalar)
      }
    }
    return isEscaped ? text + "\\" : text
  }

  /// A value as it is written: without line breaks, and with its backslashes doubled.
  var entryEscaped: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
