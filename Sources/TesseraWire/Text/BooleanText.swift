// SPDX-License-Identifier: MIT
// Boolean values in strings, parsed as on Apple's systems.

extension String {
  /// Whether the string is true, as `boolValue` of `NSString` parses it.
  ///
  /// After leading white space, it must start with one of "YyTt" or with a nonzero number. A sign and leading zeros are
  /// ignored.
  package var isTrue: Bool {
    let text = trimmed
    if let first = text.first, "YyTt".contains(first) { return true }
    let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
    return digits.first { $0 != "0" }.map { "123456789".contains($0) } ?? false
  }
}
