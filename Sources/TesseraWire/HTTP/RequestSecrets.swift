// SPDX-License-Identifier: MIT
// The redaction of a request's secrets in the server's response.

/// The secret values of a request.
///
/// Some servers repeat the request in `error_description`. This text appears in errors, logs and pages, which must not
/// contain tokens.
package struct RequestSecrets: Sendable {
  private let secrets: [[UInt8]]

  /// Creates an empty set.
  package init() {
    secrets = []
  }

  /// Collects the secrets in the form body of a request.
  package init(_ request: HTTPRequest) {
    let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
    secrets = form.fields.filter { RequestSecrets.isSecret($0.name) }.map { Array($0.value.utf8) }
      .filter { $0.count >= RequestSecrets.minimumLength }.sorted { $0.count > $1.count }
  }

  /// Returns the text with all secrets replaced.
  ///
  /// Matches secrets that are unencoded, percent-encoded (once or several times), form-encoded or escaped with
  /// backslashes. The beginning of a long secret is replaced as well, because a server may truncate it.
  package func removed(from text: String) -> String {
    guard !secrets.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let ends = secrets.lazy.flatMap { secret in
        [true, false].compactMap { end(of: secret, in: bytes, at: position, decoding: $0) }
      }
      if let end = ends.max() {
        kept += RequestSecrets.replacement.utf8
        position = end
      } else {
        kept.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Returns the text with all secrets replaced; nil for nil.
  package func removed(from text: String?) -> String? {
    text.map { removed(from: $0) }
  }

  /// Returns the end of a complete or truncated secret that starts at a position; nil if there is none.
  ///
  /// - Parameter decoding: Whether to decode a percent sign if it starts an escape.
  private func end(
    of secret: [UInt8], in bytes: [UInt8], at start: Int, decoding: Bool
  ) -> Int? {
    var position = start
    var matched = 0
    while matched < secret.count,
      let next = RequestSecrets.next(secret[matched], in: bytes, at: position, decoding: decoding)
    {
      position = next
      matched += 1
    }
    return matched == secret.count || matched >= RequestSecrets.recognizedPrefix ? position : nil
  }

  /// Returns the position after a byte, which may be encoded; nil if the byte is not at the position.
  private static func next(
    _ byte: UInt8, in bytes: [UInt8], at position: Int, decoding: Bool
  ) -> Int? {
    guard position < bytes.count else { return nil }
    let found = bytes[position]
    let isEscape = found == UInt8(ascii: "%")
    if decoding, isEscape, let end = escaped(byte, in: bytes, at: position) { return end }
    if found == byte || found == UInt8(ascii: "+") && byte == UInt8(ascii: " ") {
      return position + 1
    }
    if found == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == byte {
      return position + 2
    }
    return isEscape ? escaped(byte, in: bytes, at: position) : nil
  }

  /// Returns the position after a percent-encoded byte; nil if the byte is not at the position.
  ///
  /// Accepts repeated encoding.
  private static func escaped(_ byte: UInt8, in bytes: [UInt8], at position: Int) -> Int? {
    var digits = position + 1
    while digits + 1 < bytes.count {
      let value = UInt8(String(decoding: bytes[digits...digits + 1], as: UTF8.self), radix: 16)
      if value == byte { return digits + 2 }
      // An encoded percent sign: the text was encoded more than once.
      guard value == UInt8(ascii: "%") else { return nil }
      digits += 2
    }
    return nil
  }

  /// Whether the value of a form field is secret: a token, a code, a verifier, an assertion or a password.
  private static func isSecret(_ name: String) -> Bool {
    let name = name.normalised
    let isDescription = ["_type", "_type_hint", "_method", "_use"].contains(where: name.hasSuffix)
    return !isDescription && secretFieldNames.contains(where: name.contains)
  }

  private static let secretFieldNames = [
    "token", "code", "verifier", "assertion", "secret", "passw", "credential", "otp", "pin",
    "nonce", "state",
  ]
  private static let replacement = "<removed>"
  /// The minimum size of a secret, in bytes.
  ///
  /// A shorter value could match parts of ordinary words.
  private static let minimumLength = 4
  /// The minimum size of a truncated secret, in bytes.
  private static let recognizedPrefix = 16
}
