// SPDX-License-Identifier: MIT
// Suggestions for misspelt words.

/// The search for the word that a user probably meant.
enum Suggestion {
  /// Returns the nearest known word; nil if none is similar.
  static func nearest(to word: String, in known: [String]) -> String? {
    let limit = max(1, min(word.count, 9) / 3)
    let ranked = known.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else {
      return nil
    }
    return best.word
  }

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
