// SPDX-License-Identifier: MIT
// The members of the document that no library here knows: looked at only when somebody asks for everything.

import TesseraWire

/// The names of members that no library here knows.
struct OtherMembers: Sendable {
  /// The names, by their places.
  private(set) var names: [String] = []
  /// The places, by their names.
  private(set) var places: [String: Int] = [:]

  /// Adds a name that is not there; its place.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    places[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

extension UnifiedDocument {
  /// All members that are known: those of records, and those of others that were found or added.
  var sections: [UnifiedSection] {
    UnifiedSection.known + (others?.names ?? []).indices.map { .other($0) }
  }

  /// The name of a member.
  func name(of section: UnifiedSection) -> String {
    guard case .other(let place) = section, let others, others.names.indices.contains(place)
    else { return section.name }
    return others.names[place]
  }

  /// The value of a member that holds no entries; nil for one that does.
  func whole(_ section: UnifiedSection) -> JSONValue? {
    let list = self[section]
    if let whole = list.whole { return whole }
    guard let place = list.place, list.count == 0, let value = parsed(place) else { return nil }
    return value.object == nil ? value : nil
  }

  /// Puts a value in the place of a member, unless that holds entries.
  mutating func setWhole(_ section: UnifiedSection, _ value: JSONValue) {
    if self[section].place == nil || whole(section) != nil, whole(section) != value {
      self[section].whole = value
    }
  }

  /// The member with a name, which is there from now on.
  mutating func other(_ name: String) -> UnifiedSection {
    findOthers()
    if let place = others?.places[name] { return .other(place) }
    lists.append(UnifiedList())
    return .other(others?.add(name) ?? 0)
  }

  /// Finds the members that nobody knows, unless that was done before.
  mutating func findOthers() {
    guard others == nil else { return }
    var found = OtherMembers()
    var lists: [UnifiedList] = []
    bytes.withUnsafeBytes { memory in
      var scanner = UnifiedScanner(memory)
      // What is no document was refused when it was read.
      try? scanner.object { scanner, name throws(JSONError) in
        let text = (try? JSONValue(parsing: Array(slice(name))))?.string ?? ""
        guard UnifiedSection(name: text) == nil else { return try scanner.value() }
        let list = try otherList(&scanner)
        if let place = found.places[text] {
          lists[place] = list
        } else {
          found.add(text)
          lists.append(list)
        }
      }
    }
    others = found
    self.lists += lists
  }

  /// The entries of a member; none where they lie too deep to be read one by one.
  private func otherList(_ scanner: inout UnifiedScanner) throws(JSONError) -> UnifiedList {
    let start = scanner
    do throws(JSONError) {
      return try UnifiedDocument.list(.other(0), &scanner, bytes)
    } catch {
      scanner = start
      try scanner.value()
      var list = UnifiedList()
      list.place = start.offset..<scanner.offset
      return list
    }
  }
}
