// SPDX-License-Identifier: MIT
// A parser and editor for desktop entry files that preserves all other lines.

import TesseraWire

/// The lines of a desktop entry or a mimeapps.list file (Desktop Entry Specification, section 3).
///
/// Every sequence of bytes is accepted. Lines that are not a group header or a key-value pair are preserved and ignored.
package struct EntryText: Sendable {
  /// The content of a line.
  enum Line: Equatable {
    /// `[name]`
    case group(String)
    /// `key=value`, both trimmed of white space.
    case pair(String, String)
    /// A comment, an empty line, or anything else.
    case other
  }

  /// The lines, without their line feeds.
  private(set) var lines: [ArraySlice<UInt8>]
  private let endsWithBreak: Bool

  /// Parses the bytes of a file.
  package init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    endsWithBreak = bytes.last == 0x0A || bytes.isEmpty
    if endsWithBreak { lines.removeLast() }
  }

  /// The serialized file, with a line feed after each line.
  package var bytes: [UInt8] {
    let all = lines.map { Array($0) }.joined(separator: [0x0A])
    return Array(all) + (lines.isEmpty ? [] : [0x0A])
  }

  /// Returns the values of a key in all groups with a name, in order.
  ///
  /// A valid file has at most one.
  package func values(of key: String, in group: String) -> [String] {
    lineIndices(of: key, in: group).compactMap { index in
      guard case .pair(_, let value) = line(at: index) else { return nil }
      return value
    }
  }

  /// Returns the indices of the lines with a key in groups with a name.
  func lineIndices(of key: String, in group: String) -> [Int] {
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

  /// Returns the index of the first header of a group; nil if there is none.
  func lineIndex(ofGroup group: String) -> Int? {
    lines.indices.first { line(at: $0) == .group(group) }
  }

  /// Parses a line.
  func line(at index: Int) -> Line {
    guard lines.indices.contains(index) else { return .other }
    let text = EntryText.trimmed(lines[index])
    guard let first = text.first, first != UInt8(ascii: "#") else { return .other }
    if first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return .other }
      return .group(String(decoding: text[..<end].dropFirst(), as: UTF8.self))
    }
    guard let equalsSign = text.firstIndex(of: UInt8(ascii: "=")) else { return .other }
    let key = EntryText.trimmed(text[..<equalsSign])
    let value = EntryText.trimmed(text[equalsSign...].dropFirst())
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
  /// Replaces a line, or removes it if the text is nil.
  mutating func replace(lineAt index: Int, with text: String?) {
    guard lines.indices.contains(index) else { return }
    lines.replaceSubrange(index...index, with: text.map { [ArraySlice($0.utf8)] } ?? [])
  }

  /// Inserts a line after another one.
  mutating func insert(_ text: String, after index: Int) {
    guard lines.indices.contains(index) else { return }
    lines.insert(ArraySlice(text.utf8), at: index + 1)
  }

  /// Appends a group with one line, after an empty line.
  mutating func append(group: String, with text: String) {
    if let last = lines.last, !last.isEmpty { lines.append([]) }
    lines += ["[\(group)]", text].map { ArraySlice($0.utf8) }
  }

  private func isGroup(at index: Int) -> Bool {
    if case .group = line(at: index) { true } else { false }
  }

  /// Removes the empty groups with a name, and the empty lines before them.
  mutating func removeEmptyGroups(named group: String) {
    for index in lines.indices.reversed() where line(at: index) == .group(group) {
      // A group ends at the next valid header. An invalid header is a line of the group.
      let end = lines.indices.first { $0 > index && !lines[$0].isEmpty } ?? lines.endIndex
      guard end == lines.endIndex || isGroup(at: end) else { continue }
      var start = index
      while start > 0, lines[start - 1].isEmpty { start -= 1 }
      lines.removeSubrange(start..<(start == 0 || end == lines.endIndex ? end : index + 1))
    }
  }
}

extension String {
  /// The items of a list value.
  ///
  /// Splitting at Unicode scalars also separates at a semicolon that forms one character with a combining mark.
  var entryItems: [String] {
    unicodeScalars.split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// The value with escape sequences resolved (Desktop Entry Specification, section 4).
  ///
  /// Unknown sequences are preserved.
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

  /// The value with backslashes, line breaks and tabs escaped.
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
