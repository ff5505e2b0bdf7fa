// SPDX-License-Identifier: MIT
// Truth values as Apple's systems read them out of texts.

extension String {
  /// Whether a text stands for yes, as `boolValue` of `NSString` reads it.
  ///
  /// Behind white space, that is what begins with a letter of "YyTt", or with a number that is not zero; its sign and the zeros
  /// before it do not count.
  package var isTrue: Bool {
    let text = trimmed
    if let first = text.first, "YyTt".contains(first) { return true }
    let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
    return digits.first { $0 != "0" }.map { "123456789".contains($0) } ?? false
  }
}
