// SPDX-License-Identifier: MIT
// A JSON Pointer (RFC 6901), which selects one value of a document.

/// The reference tokens of a JSON Pointer such as `/accounts/0/username`.
package struct JSONPointer: Sendable, Hashable {
  /// The unescaped names of members and indices of elements, outermost first.
  private let tokens: [String]

  /// Parses a pointer; nil if it is not empty and does not start with `/`, or has an incomplete escape.
  ///
  /// The empty pointer selects the whole document.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.first?.isEmpty != false else { return nil }
    var tokens: [String] = []
    for part in parts.dropFirst() {
      guard let token = JSONPointer.unescaped(Array(part)) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// Returns the selected value; nil if the document has no such value.
  package func value(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      guard let next = JSONPointer.child(token, of: value) else { return nil }
      value = next
    }
    return value
  }

  /// Returns a member or an element of a value; nil if it has none with this name or index.
  ///
  /// Names are compared by their bytes. Of several members with the same name, the last one is returned.
  private static func child(_ token: String, of value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let object):
      return object.members.last { $0.name.utf8.elementsEqual(token.utf8) }?.value
    case .array(let elements):
      // An index has no leading zero. The parser of integers would accept a sign.
      guard let index = Int(token), String(index) == token, elements.indices.contains(index)
      else { return nil }
      return elements[index]
    default:
      return nil
    }
  }

  /// Replaces `~1` by `/` and `~0` by `~`; nil for any other use of `~`.
  private static func unescaped(_ part: [UInt8]) -> String? {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
