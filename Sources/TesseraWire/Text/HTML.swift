// SPDX-License-Identifier: MIT
// HTML with automatic escaping of interpolated strings, which prevents injection.

/// A piece of HTML.
///
/// Interpolated strings are escaped.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  package let markup: String

  /// Creates unescaped markup from a literal.
  package init(stringLiteral markup: String) {
    self.markup = markup
  }

  /// Creates markup from an interpolated literal.
  package init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  /// The interpolation, which collects literal markup, escaped strings and other pieces.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    /// Creates an empty interpolation.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal markup without escaping.
    package mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Appends a string, escaped.
    package mutating func appendInterpolation(_ text: String) {
      markup += HTML.escape(text)
    }

    /// Appends a piece of HTML without escaping.
    package mutating func appendInterpolation(_ piece: HTML) {
      markup += piece.markup
    }

    /// Appends pieces of HTML without escaping.
    package mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }
  }

  private static func escape(_ text: String) -> String {
    // Escape scalars, not characters: a quote with a combining mark is a different Character, but a browser sees a quote.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
