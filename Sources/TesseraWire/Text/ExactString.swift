// SPDX-License-Identifier: MIT
// A text as a key of sets and dictionaries, compared by its bytes.

/// A text that is equal only to a text with the same UTF-8 bytes.
///
/// As keys, plain strings are equal if they are canonically equivalent in Unicode. Two users or two records must not be merged
/// for that.
package struct ExactString: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The text itself.
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package init(stringLiteral text: String) {
    self.text = text
  }

  package static func < (left: ExactString, right: ExactString) -> Bool {
    left.text.bytesPrecede(right.text)
  }
}

extension Set where Element == ExactString {
  /// Creates a set of texts.
  package init(texts: some Sequence<String>) {
    self.init(texts.lazy.map { ExactString($0) })
  }

  /// The texts, in no order.
  package var texts: some Collection<String> { lazy.map(\.text) }

  package func contains(_ text: String) -> Bool { contains(ExactString(text)) }

  @discardableResult
  package mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: ExactString) {
    insert(ExactString(text))
  }

  package mutating func remove(_ text: String) { remove(ExactString(text)) }
}

extension Dictionary where Key == ExactString {
  package subscript(_ text: String) -> Value? {
    get { self[ExactString(text)] }
    _modify { yield &self[ExactString(text)] }
  }

  package subscript(_ text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(text), default: value()] }
    _modify { yield &self[ExactString(text), default: value()] }
  }
}
