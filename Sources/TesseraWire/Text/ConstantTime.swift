// SPDX-License-Identifier: MIT
// Comparing what is secret.

extension String {
  /// Whether two texts are the same bytes; the time that it takes does not tell how much agrees.
  package func isSame(as other: String) -> Bool {
    let (left, right) = (Array(utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
