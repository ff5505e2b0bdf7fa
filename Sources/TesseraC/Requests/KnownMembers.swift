// SPDX-License-Identifier: MIT
// The known members of a request, typed access to them, and the suggestion for an unknown one.

import TesseraEngine

/// The names of the members that a request may have.
struct KnownMembers {
  /// The names.
  let names: [String]
  /// Returns the members of nested objects that callers may expect in the request itself, with their paths.
  let moved: () -> [String: String]
  /// The members that later versions add.
  let reserved: [String]

  /// Returns the second sentence of the message about an unknown member.
  ///
  /// It names the new place of a member that moved, or else the most similar member, or else all members.
  func suggestion(for unknown: String) -> String {
    if let path = moved()[unknown] { return "Use \"\(path)\" instead." }
    if let name = nearest(to: unknown) { return "Did you mean \"\(name)\"?" }
    guard !names.isEmpty else { return "It accepts no members." }
    return "Known members: \(names.joined(separator: ", "))."
  }

  /// Returns the member with the smallest edit distance; nil if each one differs in more than a third of the letters.
  ///
  /// Case, underscores and hyphens do not count, so that the spellings of other languages are found.
  private func nearest(to unknown: String) -> String? {
    let letters = KnownMembers.letters(of: unknown)
    let distances = names.map { name in
      (name: name, distance: KnownMembers.distance(letters, KnownMembers.letters(of: name)))
    }
    let nearest = distances.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= letters.count / 3 ? $0.name : nil }
  }

  private static func letters(of name: String) -> [UInt8] {
    name.lowercased().utf8.prefix(100)
      .filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
  }

  /// Returns the number of insertions, deletions, replacements and transpositions between two texts.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var least = min(next[column], last[column + 1]) + 1
        least = min(least, last[column] + (letter == otherLetter ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}

/// Typed access to the members of a request.
protocol RequestMembers {
  /// The names of the members.
  static var names: [String] { get }

  /// The members of nested objects that callers may expect in the request itself, with their paths.
  static var moved: [String: String] { get }

  /// The members that later versions add.
  static var reserved: [String] { get }

  /// The request.
  var document: RequestDocument { get }

  /// Creates access to a request with these members.
  init(document: RequestDocument)
}

extension RequestMembers {
  static var moved: [String: String] { [:] }

  static var reserved: [String] { [] }

  /// The known members.
  static var known: KnownMembers {
    KnownMembers(names: names, moved: { moved }, reserved: reserved)
  }

  /// Creates access to a request with these members.
  init(_ document: RequestDocument) { self.init(document: document) }

  /// Parses and validates a request.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter, for messages.
  ///   - isOptional: Whether NULL is treated as an empty object.
  /// - Throws: `fixRequest` if the text is not a JSON object or has unknown or duplicate members.
  init(
    _ text: UnsafePointer<CChar>?, _ name: String = "request", isOptional: Bool = false
  ) throws(TesseraError) {
    self.init(
      document: try RequestDocument(text, name, accepting: Self.known, isOptional: isOptional))
  }

  /// Returns the value of a member that other members make necessary.
  func required<Value>(_ name: String, _ value: Value?) throws(TesseraError) -> Value {
    guard let value else { throw document.missingMember(name) }
    return value
  }
}
