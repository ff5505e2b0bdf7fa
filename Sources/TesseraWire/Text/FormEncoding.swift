// SPDX-License-Identifier: MIT
// application/x-www-form-urlencoded, as the token endpoint wants it.

/// Form fields in order, and their `application/x-www-form-urlencoded` text.
///
/// Unreserved characters are `A-Za-z0-9-._~`, a space becomes `+`, everything else `%XX` in upper-case
/// hexadecimal (RFC 6749 appendix B; MSAL for Apple encodes the same way).
package struct FormFields: Sendable, Equatable {
  /// The fields in the order in which they are sent.
  package private(set) var fields: [(name: String, value: String)] = []

  /// No fields.
  package init() {}

  /// Adds a field; a nil or empty value adds nothing.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    fields.append((name, value))
  }

  /// Adds a field that a program wants sent although its value may be blank: then its name is sent alone (MSAL for Apple).
  package mutating func add(_ name: String, evenIfBlank value: String) {
    fields.append((name, value.nonBlank == nil ? "" : value))
  }

  /// Adds a field whose value is secret.
  package mutating func add(_ name: String, _ secret: Secret?) {
    add(name, secret?.reveal())
  }

  /// The first value of a field.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The encoded text, the body of a request.
  package var encoded: String {
    fields.map { name, value in
      FormFields.escape(name) + (value.isEmpty ? "" : "=" + FormFields.escape(value))
    }.joined(separator: "&")
  }

  /// Whether two sets of fields are the same, order included.
  package static func == (left: FormFields, right: FormFields) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension FormFields {
  /// Reads a form or query text; damaged escapes are kept as they stand, elements without a name are skipped.
  package init(decoding text: some StringProtocol) {
    self.init()
    for element in text.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = FormFields.unescape(parts[0])
      guard !name.isEmpty else { continue }
      fields.append((name, parts.count > 1 ? FormFields.unescape(parts[1]) : ""))
    }
  }

  /// One name or value, escaped for a form.
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

  /// One name or value, back from its escaped form.
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
