// SPDX-License-Identifier: MIT
// A constant-time comparison of secrets.

extension String {
  /// Whether two strings have the same UTF-8 bytes, in time that depends only on their lengths.
  package func isSame(as other: String) -> Bool {
    let (left, right) = (Array(utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
