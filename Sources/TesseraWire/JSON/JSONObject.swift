// SPDX-License-Identifier: MIT
// The members of a JSON object in the order in which they were written.

/// The members of a JSON object, in order.
package struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The members as they were written.
  ///
  /// If a name was written twice, the last one counts.
  package private(set) var members: [(name: String, value: JSONValue)]

  /// An object with these members.
  package init(_ members: [(String, JSONValue)] = []) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(members)
  }

  /// The value of a member; setting nil removes it, setting an existing member keeps its place.
  package subscript(_ name: String) -> JSONValue? {
    get {
      // In place, since a copy of each member that is passed would count two references; lengths tell most names apart.
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

  /// Adds a member that is known to be new; cheaper than the subscript.
  package mutating func append(_ name: String, _ value: JSONValue) {
    members.append((name, value))
  }

  /// Adds a text member that is known to be new, unless there is no text.
  package mutating func append(_ name: String, _ text: String?) {
    guard let text else { return }
    members.append((name, .string(text)))
  }

  /// Adds a member that is known to be new, unless there is none.
  package mutating func append(_ name: String, _ value: JSONValue?) {
    guard let value else { return }
    members.append((name, value))
  }

  /// This object with the members of another laid over it.
  package func overlaid(with other: JSONObject) -> JSONObject {
    var result = self
    for member in other.members { result[member.name] = member.value }
    return result
  }

  /// Whether two objects have the same members, in whatever order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.isSame(as: right)
  }

  /// Whether two objects have the same members besides some, in whatever order.
  package func isSame(as other: JSONObject, besides passing: Set<String> = []) -> Bool {
    if let answer = isSameInOrder(other, besides: passing) { return answer }
    return valuesByName(besides: passing) == other.valuesByName(besides: passing)
  }

  /// The same for two small objects with the same names in the same order, each once; nil for others.
  private func isSameInOrder(_ other: JSONObject, besides passing: Set<String>) -> Bool? {
    guard members.count == other.members.count, members.count <= 32 else { return nil }
    var isSame = true
    for index in members.indices {
      let name = members[index].name
      guard name == other.members[index].name,
        !members[..<index].contains(where: { $0.name == name })
      else { return nil }
      guard isSame, members[index].value != other.members[index].value else { continue }
      isSame = passing.contains(name)
    }
    return isSame
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Set(members.map(\.name)))
  }

  /// What counts of each member: a name that was written twice has its last value.
  private func valuesByName(besides passing: Set<String>) -> [String: JSONValue] {
    let pairs = members.lazy.filter { !passing.contains($0.name) }.map { ($0.name, $0.value) }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}
