// SPDX-License-Identifier: MIT
// A JSON object that preserves the order of its members.

/// The members of a JSON object, in order.
package struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// All members, including repeated names.
  ///
  /// The last member with a name is the effective one.
  package private(set) var members: [(name: String, value: JSONValue)]

  /// Creates an object from its members.
  package init(_ members: [(String, JSONValue)] = []) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members)
  }

  /// The value of a member.
  ///
  /// Setting nil removes it; setting an existing member preserves its position.
  package subscript(_ name: String) -> JSONValue? {
    get {
      // Iterate by index: a copy of each member would retain two references. Comparing lengths first rejects most names.
      let length = name.utf8.count
      for index in members.indices.reversed()
      where members[index].name.utf8.count == length && members[index].name == name {
        return members[index].value
      }
      return nil
    }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let index = members.lastIndex(where: { $0.name == name }) {
        members[index].value = newValue
      } else {
        members.append((name, newValue))
      }
    }
  }

  /// Appends a member with a new name.
  ///
  /// Faster than the subscript, which searches for the name.
  package mutating func append(_ name: String, _ value: JSONValue) {
    members.append((name, value))
  }

  /// Appends a string member with a new name.
  ///
  /// Does nothing if the string is nil.
  package mutating func append(_ name: String, _ text: String?) {
    guard let text else { return }
    members.append((name, .string(text)))
  }

  /// Appends a member with a new name.
  ///
  /// Does nothing if the value is nil.
  package mutating func append(_ name: String, _ value: JSONValue?) {
    guard let value else { return }
    members.append((name, value))
  }

  /// Returns this object with the members of another one added; the other's values win.
  package func overlaid(with other: JSONObject) -> JSONObject {
    var result = self
    for member in other.members { result[member.name] = member.value }
    return result
  }

  /// Whether two objects have the same members, in any order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.isSame(as: right)
  }

  /// Whether two objects have the same members, in any order, ignoring some names.
  package func isSame(as other: JSONObject, ignoring ignored: Set<String> = []) -> Bool {
    if let isEqual = isSameInOrder(other, ignoring: ignored) { return isEqual }
    return valuesByName(ignoring: ignored) == other.valuesByName(ignoring: ignored)
  }

  /// Compares two small objects with the same unique names in the same order; nil if they do not have this form.
  private func isSameInOrder(_ other: JSONObject, ignoring ignored: Set<String>) -> Bool? {
    guard members.count == other.members.count, members.count <= 32 else { return nil }
    var isSame = true
    for index in members.indices {
      let name = members[index].name
      guard name == other.members[index].name,
        !members[..<index].contains(where: { $0.name == name })
      else { return nil }
      guard isSame, members[index].value != other.members[index].value else { continue }
      isSame = ignored.contains(name)
    }
    return isSame
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Set(texts: members.map(\.name)))
  }

  /// Returns the effective value of each name, which is the last one.
  private func valuesByName(ignoring ignored: Set<String>) -> [ExactString: JSONValue] {
    let pairs = members.lazy.filter { !ignored.contains($0.name) }
      .map { (ExactString($0.name), $0.value) }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}
