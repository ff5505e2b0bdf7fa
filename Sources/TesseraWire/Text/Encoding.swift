// SPDX-License-Identifier: MIT
// The encodings of form fields and HTML.

/// An ordered list of form fields, with its `application/x-www-form-urlencoded` encoding.
///
/// The characters `A-Za-z0-9-._~` are not encoded, a space becomes `+`, and any other byte becomes `%XX` in upper-case
/// hexadecimal digits (RFC 6749 appendix B; MSAL for Apple uses the same encoding).
package struct FormFields: Sendable, Equatable {
  /// The fields, in the order in which they are sent.
  package private(set) var fields: [(name: String, value: String)] = []

  /// Creates an empty list.
  package init() {}

  /// Adds a field unless the value is nil or empty.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    fields.append((name, value))
  }

  /// Adds a field with a value that may be blank.
  ///
  /// A blank value is sent as the name without `=` (MSAL for Apple).
  package mutating func add(_ name: String, evenIfBlank value: String) {
    fields.append((name, value.nonBlank == nil ? "" : value))
  }

  /// Adds a field with a secret value unless it is nil or empty.
  package mutating func add(_ name: String, _ secret: Secret?) {
    add(name, secret?.reveal())
  }

  /// Returns the first value of a field; nil if there is none.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The encoded text.
  package var encoded: String {
    fields.map { name, value in
      FormFields.escape(name) + (value.isEmpty ? "" : "=" + FormFields.escape(value))
    }.joined(separator: "&")
  }

  /// Whether two lists have the same fields in the same order.
  package static func == (left: FormFields, right: FormFields) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension FormFields {
  /// Decodes a form or a query.
  ///
  /// Invalid escapes are kept unchanged. Elements without a name are skipped.
  package init(decoding text: some StringProtocol) {
    self.init()
    for element in text.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = FormFields.unescape(parts[0])
      guard !name.isEmpty else { continue }
      fields.append((name, parts.count > 1 ? FormFields.unescape(parts[1]) : ""))
    }
  }

  /// Encodes a name or a value.
  package static func escape(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: " "):
        bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 0x0F)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a name or a value.
  ///
  /// Invalid escapes are kept unchanged.
  package static func unescape(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let decoded = FormFields.hexadecimalByte(rest.prefix(2))
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexadecimalByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = digits.first, let low = digits.last,
      let highValue = Character(Unicode.Scalar(high)).hexDigitValue,
      let lowValue = Character(Unicode.Scalar(low)).hexDigitValue
    else { return nil }
    return UInt8(highValue << 4 | lowValue)
  }
}

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
