// SPDX-License-Identifier: MIT
// The sections of the document that no supported library knows. They are read only when all records are requested.

import TesseraCache
import TesseraWire

/// The names of the unknown sections.
struct UnknownSections: Sendable {
  /// The names, by their numbers.
  private(set) var names: [String] = []
  /// The numbers, by their names.
  private(set) var numbers: [ExactString: Int] = [:]

  /// Adds a name that is not known yet, and returns its number.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

extension UnifiedDocument {
  /// All known sections: those with records, and the unknown ones that were read or added.
  var sections: [UnifiedSection] {
    UnifiedSection.known + (unknownSections?.names ?? []).indices.map { .other($0) }
  }

  /// Returns the name of a section.
  func name(of section: UnifiedSection) -> String {
    guard case .other(let number) = section, let unknownSections,
      unknownSections.names.indices.contains(number)
    else { return section.name }
    return unknownSections.names[number]
  }

  /// Returns the value of a section that is not an object, or `nil` if it is one.
  func nonObjectValue(_ section: UnifiedSection) -> JSONValue? {
    let list = self[section]
    if let nonObjectValue = list.nonObjectValue { return nonObjectValue }
    guard let byteRange = list.byteRange, list.count == 0, let value = parsed(byteRange) else {
      return nil
    }
    return value.object == nil ? value : nil
  }

  /// Sets the value of a section, unless it is an object.
  mutating func setNonObjectValue(_ section: UnifiedSection, _ value: JSONValue) {
    if self[section].byteRange == nil || nonObjectValue(section) != nil,
      nonObjectValue(section) != value
    {
      self[section].nonObjectValue = value
    }
  }

  /// Returns the section with a name, adding it if necessary.
  mutating func other(_ name: String) -> UnifiedSection {
    readUnknownSections()
    if let number = unknownSections?.numbers[name] { return .other(number) }
    lists.append(UnifiedList())
    return .other(unknownSections?.add(name) ?? 0)
  }

  /// Reads the unknown sections, unless this was done before.
  mutating func readUnknownSections() {
    guard unknownSections == nil else { return }
    var found = UnknownSections()
    var lists: [UnifiedList] = []
    bytes.withUnsafeBytes { memory in
      var scanner = UnifiedScanner(memory)
      // Scanning cannot fail, because the document was validated when it was read.
      try? scanner.object { scanner, name throws(JSONError) in
        let text = (try? JSONValue(parsing: Array(slice(name))))?.string ?? ""
        guard UnifiedSection(name: text) == nil else { return try scanner.value() }
        let list = try unknownSectionEntries(&scanner)
        if let number = found.numbers[text] {
          lists[number] = list
        } else {
          found.add(text)
          lists.append(list)
        }
      }
    }
    unknownSections = found
    self.lists += lists
  }

  /// Reads the entries of a section.
  ///
  /// It has none if they are nested too deeply to be scanned.
  private func unknownSectionEntries(_ scanner: inout UnifiedScanner) throws(JSONError)
    -> UnifiedList
  {
    let start = scanner
    do throws(JSONError) {
      return try UnifiedDocument.list(.other(0), &scanner, bytes)
    } catch {
      scanner = start
      try scanner.value()
      var list = UnifiedList()
      list.byteRange = start.offset..<scanner.offset
      return list
    }
  }
}
