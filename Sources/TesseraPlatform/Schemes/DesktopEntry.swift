// SPDX-License-Identifier: MIT
// Desktop entries and the lists of associations.

import TesseraWire

/// An application as registered on the desktop (Desktop Entry Specification 1.5).
package struct DesktopEntry: Sendable, Equatable {
  /// The arguments of its command; empty if D-Bus activates the application.
  package let command: [String]
  /// The MIME types that it opens.
  package let types: Set<String>
  /// The executable that must exist for the entry to be valid (`TryExec`); by default the first argument of the command.
  package let requiredExecutable: String?

  /// The main group of an entry.
  static let group = "Desktop Entry"
  /// The key that marks entries written by this library.
  static let registrationKey = "X-Tessera-Scheme"

  /// Parses an entry; nil if it is not an application, or is marked as deleted (`Hidden`).
  package init?(_ text: EntryText) {
    func value(_ key: String) -> String? { text.values(of: key, in: Self.group).first }
    guard value("Type") == "Application", value("Hidden") != "true" else { return nil }
    command = value("Exec").map { ExecLine.arguments($0.entryUnescaped) } ?? []
    guard !command.isEmpty || value("DBusActivatable") == "true" else { return nil }
    types = Set(value("MimeType")?.entryItems ?? [])
    requiredExecutable = value("TryExec")?.entryUnescaped ?? command.first
  }

  /// Returns the text of an entry for an application that opens URLs of a scheme.
  ///
  /// It is not shown in menus and has no startup notification.
  static func text(scheme: String, command: [String], name: String) -> String {
    """
    [\(group)]
    Type=Application
    Name=\(name.entryEscaped)
    Exec=\(ExecLine.text(command).entryEscaped)
    MimeType=\(SchemeType(scheme).text);
    NoDisplay=true
    StartupNotify=false
    Terminal=false
    \(registrationKey)=\(scheme)

    """
  }
}

/// The MIME type that represents a URL scheme.
package struct SchemeType: Sendable {
  /// `x-scheme-handler/` and the scheme.
  package let text: String

  package init(_ scheme: String) {
    text = "x-scheme-handler/" + scheme
  }
}

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

/// The value of `Exec` (Desktop Entry Specification, section 7), after the escape sequences of all values are resolved.
package enum ExecLine {
  /// The characters that require quotes.
  private static let reserved = Set(" \t\n\"'\\><~|&;$*?#()`".unicodeScalars)
  /// The characters that are escaped with a backslash in quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)

  /// Returns a command line with the field code for the opened URL at its end.
  ///
  /// Arguments are quoted only if required. Some openers (xdg-open 1.1) split at spaces and do not parse quotes.
  package static func text(_ arguments: [String]) -> String {
    (arguments.map(quoted) + ["%u"]).joined(separator: " ")
  }

  private static func quoted(_ argument: String) -> String {
    var text = ""
    for scalar in argument.unicodeScalars {
      if escaped.contains(scalar) { text += "\\" }
      // A percent sign starts a field code, also in quotes.
      text += scalar == "%" ? "%%" : String(scalar)
    }
    let needsQuotes = argument.isEmpty || argument.unicodeScalars.contains(where: reserved.contains)
    return needsQuotes ? "\"\(text)\"" : text
  }

  /// Splits a command line into arguments.
  ///
  /// Field codes are preserved. Invalid quoting is accepted.
  package static func arguments(_ text: String) -> [String] {
    var arguments: [String] = []
    var argument: String?
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        argument = (argument ?? "") + String(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        isQuoted.toggle()
        argument = argument ?? ""
      } else if !isQuoted, scalar == " " || scalar == "\t" || scalar == "\n" {
        if let argument { arguments.append(argument) }
        argument = nil
      } else {
        argument = (argument ?? "") + String(scalar)
      }
    }
    if let argument { arguments.append(argument) }
    return arguments
  }
}

/// The entries of a `mimeapps.list` file for one type (MIME Applications Specification 1.0).
package struct AssociationList: Sendable {
  private let text: EntryText
  private let type: String
  private static let preferenceGroups = ["Default Applications", "Added Associations"]
  private static let removedAssociations = "Removed Associations"

  package init(_ text: EntryText, of type: String) {
    self.text = text
    self.type = type
  }

  /// Returns the list with an application first among those that open the type.
  ///
  /// It is no longer among the removed associations.
  package func adding(_ id: String) -> EntryText {
    var text = removing(id, from: [AssociationList.removedAssociations])
    for group in AssociationList.preferenceGroups {
      let lineIndices = text.lineIndices(of: type, in: group)
      for lineIndex in lineIndices {
        text.replace(
          lineAt: lineIndex, with: line([id] + others(at: lineIndex, of: text, than: id)))
      }
      guard lineIndices.isEmpty else { continue }
      if let lineIndex = text.lineIndex(ofGroup: group) {
        text.insert(line([id]), after: lineIndex)
      } else {
        text.append(group: group, with: line([id]))
      }
    }
    return text
  }

  /// Returns the list without an application.
  ///
  /// Groups that become empty are removed.
  package func removing(_ id: String) -> EntryText {
    removing(id, from: AssociationList.preferenceGroups + [AssociationList.removedAssociations])
  }

  private func removing(_ id: String, from groups: [String]) -> EntryText {
    var text = text
    for group in groups {
      var isChanged = false
      for lineIndex in text.lineIndices(of: type, in: group).reversed() {
        guard case .pair(_, let value) = text.line(at: lineIndex), value.entryItems.contains(id)
        else { continue }
        let others = others(at: lineIndex, of: text, than: id)
        text.replace(lineAt: lineIndex, with: others.isEmpty ? nil : line(others))
        isChanged = true
      }
      if isChanged { text.removeEmptyGroups(named: group) }
    }
    return text
  }

  /// Returns the other applications on a line.
  private func others(at lineIndex: Int, of text: EntryText, than id: String) -> [String] {
    guard case .pair(_, let value) = text.line(at: lineIndex) else { return [] }
    return value.entryItems.filter { $0 != id }
  }

  private func line(_ ids: [String]) -> String {
    "\(type)=" + ids.map { $0 + ";" }.joined()
  }
}
