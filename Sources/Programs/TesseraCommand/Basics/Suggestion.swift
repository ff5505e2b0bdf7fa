// SPDX-License-Identifier: MIT
// Suggestions for misspelt words.

/// The search for the word that a user probably meant.
enum Suggestion {
  /// Returns a question with the similar known words; nil if none is similar.
  static func question(for word: String, in known: [String], quote: String = "\"") -> String? {
    let words = similar(to: word, in: known).map { "\(quote)\($0)\(quote)" }
    guard let last = words.last else { return nil }
    let others = words.dropLast().joined(separator: ", ")
    return "Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// Returns the words that start with a word, or else those with the fewest differences.
  static func similar(to word: String, in known: [String]) -> [String] {
    let word = word.lowercased()
    let longer = known.filter { $0.lowercased().hasPrefix(word) }
    guard longer.isEmpty || word.count < minimumPrefix else { return longer }
    let limit = max(1, min(word.count, 9) / 3)
    let ranked = known.map { (word: $0, distance: distance(word, $0.lowercased())) }
    guard let least = ranked.map(\.distance).min(), least <= limit else { return [] }
    return ranked.filter { $0.distance == least }.map(\.word)
  }

  /// The minimum length of the start of a word.
  private static let minimumPrefix = 2

  /// Returns the number of insertions, deletions, replacements and transpositions between two words.
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one), other = Array(other)
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var before: [Int] = []
    var row = Array(0...other.count)
    for i in one.indices {
      var next = [i + 1]
      for j in other.indices {
        var cost = min(row[j + 1], next[j]) + 1
        cost = min(cost, row[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
