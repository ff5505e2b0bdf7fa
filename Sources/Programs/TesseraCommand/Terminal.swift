// SPDX-License-Identifier: MIT
// Formatting of lines and tables for a terminal. Output to a pipe is not formatted.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A style of text at a terminal.
enum TextStyle: String {
  case plain = ""
  case emphasis = "1"
  case success = "32"
  case warning = "33"
  case failure = "31"
}

/// A terminal.
struct Terminal {
  /// The width in columns.
  let columns: Int
  /// Whether text is styled, which a set `NO_COLOR` (no-color.org) and `TERM=dumb` prevent.
  var hasColors = false
  /// Whether a line can be replaced, which `TERM=dumb` prevents.
  private(set) var canReplaceLine = false

  /// The maximum width of a column; longer cells do not widen it.
  ///
  /// A UUID fits.
  private static let maximumCellWidth = 36
  private static let gap = 2

  init(columns: Int) {
    self.columns = columns
  }

  /// Creates the terminal at a descriptor; nil if it is not a terminal.
  init?(_ descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = isKnown ? max(40, Int(size.ws_col)) : 80
    let environment = Environment.current
    canReplaceLine = environment["TERM"].map { $0 != "dumb" } ?? false
    hasColors = canReplaceLine && environment["NO_COLOR"] == nil
  }

  /// Returns a text with a style.
  func styled(_ text: String, _ style: TextStyle) -> String {
    guard hasColors, style != .plain else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Wraps a text between words to the width of the terminal.
  ///
  /// A URL has no spaces and is not wrapped.
  func wrapped(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      let indent = line.prefix { $0 == " " }.count
      let blanks = String(repeating: " ", count: indent)
      return blanks
        + wrap(String(line.dropFirst(indent)), at: indent, hanging: indent + Terminal.gap)
    }.joined(separator: "\n")
  }

  /// Formats rows as a table.
  ///
  /// A cell that does not fit is moved to a separate line.
  func table(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.dropLast().enumerated() {
        if index == widths.count { widths.append(0) }
        if cell.count <= Terminal.maximumCellWidth {
          widths[index] = max(widths[index], cell.count)
        }
      }
    }
    return rows.map { line($0, widths) }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var text = ""
    var start = 0
    var isWhole = true
    for (index, cell) in row.enumerated() where !cell.isEmpty {
      let longest = cell.split(separator: " ").map(\.count).max() ?? 0
      isWhole = isWhole && text.count <= max(0, start - Terminal.gap) && start + longest <= columns
      if isWhole || index == 0 {
        text += String(repeating: " ", count: start - text.count)
        text += index == 0 ? wrapped(cell) : wrap(cell, at: start, hanging: start)
      } else {
        text += "\n    " + wrap(cell, at: 4, hanging: 4)
      }
      start += (index < widths.count ? widths[index] : 0) + Terminal.gap
    }
    return text
  }

  /// Wraps words from a start column, with a hanging indent.
  private func wrap(_ text: String, at start: Int, hanging indent: Int) -> String {
    var wrapped = ""
    var position = start
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if wrapped.isEmpty {
        wrapped += word
        position += word.count
      } else if position + 1 + word.count <= columns {
        wrapped += " " + word
        position += 1 + word.count
      } else {
        wrapped += "\n" + String(repeating: " ", count: indent) + word
        position = indent + word.count
      }
    }
    return wrapped
  }
}
