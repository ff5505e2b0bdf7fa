// SPDX-License-Identifier: MIT
// The lines of a file with tables, and changes that keep its comments.

/// The lines before the first table, and those of each table.
///
/// The first line of a table is its header.
struct TableSections {
  private var sections: [[String]] = [[]]

  /// The text of the file.
  var text: String { sections.flatMap(\.self).map { "\($0)\n" }.joined() }

  /// Appends a line of the file.
  ///
  /// - Parameter isHeader: Whether the line starts a table.
  mutating func append(_ line: String, isHeader: Bool) {
    if isHeader { sections.append([]) }
    sections[sections.count - 1].append(line)
  }

  /// Adds a table at the end.
  mutating func addTable(_ lines: [String]) {
    if let last = sections.last?.last, !last.isEmpty { sections[sections.count - 1].append("") }
    sections.append(lines)
  }

  /// Removes a table from its header to its last key.
  ///
  /// The comments after them may be about the next table.
  mutating func removeTable(at index: Int) {
    let lines = sections.remove(at: index + 1)
    let end = TableSections.lastEntry(of: lines) ?? 0
    let rest = lines[(end + 1)...]
    guard rest.contains(where: { !TableSections.isBlank($0) }) else { return }
    let isSeparated = sections[index].last.map(TableSections.isBlank) ?? true
    sections[index] += isSeparated ? rest.drop(while: TableSections.isBlank) : rest
  }

  /// Sets a key of a table, or removes its line; the comment at the end of the line is kept.
  ///
  /// - Parameter index: The index of the table; nil for the lines before the first one.
  mutating func set(_ key: String, to value: ProfileSyntax.Value?, inTable index: Int?) {
    let section = index.map { $0 + 1 } ?? 0
    guard let line = sections[section].firstIndex(where: { TableSections.entry($0)?.key == key })
    else {
      guard let value, value != .array([]) else { return }
      return insert("\(key) = \(value.text)", in: section)
    }
    guard let value else {
      sections[section].remove(at: line)
      return
    }
    guard TableSections.entry(sections[section][line])?.value != value else { return }
    sections[section][line] = ProfileSyntax.replacingValue(
      of: sections[section][line], with: value)
  }

  private mutating func insert(_ line: String, in section: Int) {
    if let last = TableSections.lastEntry(of: sections[section]) {
      sections[section].insert(line, at: last + 1)
    } else if section > 0 {
      sections[section].insert(line, at: 1)
    } else {
      let isLast = sections.count == 1 || sections[0].first.map(TableSections.isBlank) ?? false
      sections[0].insert(contentsOf: isLast ? [line] : [line, ""], at: 0)
    }
  }

  /// Returns the index of the last line with a key; nil if there is none.
  private static func lastEntry(of lines: [String]) -> Int? {
    lines.lastIndex { entry($0) != nil }
  }

  private static func entry(_ line: String) -> (key: String, value: ProfileSyntax.Value)? {
    guard case .entry(let key, let value) = try? ProfileSyntax.parse(line) else { return nil }
    return (key, value)
  }

  private static func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
}
