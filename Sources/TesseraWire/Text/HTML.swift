// SPDX-License-Identifier: MIT
// HTML that cannot be injected into: what is interpolated as text is escaped.

/// A piece of HTML; text becomes part of it by interpolation, which escapes it.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  package let markup: String

  /// Markup as it stands in the source.
  package init(stringLiteral markup: String) {
    self.markup = markup
  }

  /// Markup with what was interpolated into it.
  package init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  /// Collects literal markup, escaped text and other pieces.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    /// Nothing yet.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds markup of the source.
    package mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Adds text, escaped.
    package mutating func appendInterpolation(_ text: String) {
      markup += HTML.escape(text)
    }

    /// Adds a piece as it is.
    package mutating func appendInterpolation(_ piece: HTML) {
      markup += piece.markup
    }

    /// Adds pieces as they are.
    package mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }
  }

  private static func escape(_ text: String) -> String {
    // Scalar by scalar: a quote with a combining mark is another Character, but still a quote to a browser.
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
