// SPDX-License-Identifier: MIT
// The secrets of a request, to be removed from what the server answers to it.

/// The secret values of a request.
///
/// Some servers repeat a request in `error_description`. Errors, logs and pages show that text, and must not show tokens.
package struct SentSecrets: Sendable {
  private let secrets: [[UInt8]]

  /// No secrets.
  package init() {
    secrets = []
  }

  /// The secrets in the form body of a request.
  package init(_ request: HTTPRequest) {
    let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
    secrets = form.fields.filter { SentSecrets.isSecret($0.name) }.map { Array($0.value.utf8) }
      .filter { $0.count >= SentSecrets.shortest }.sorted { $0.count > $1.count }
  }

  /// The text without the secrets.
  ///
  /// They are recognized as they are, percent-encoded (also twice), form-encoded and with backslashes. The beginning of a
  /// long secret is removed as well: a server may cut off what it repeats.
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
        kept += SentSecrets.replacement.utf8
        position = end
      } else {
        kept.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The same for a text that may be absent.
  package func removed(from text: String?) -> String? {
    text.map { removed(from: $0) }
  }

  /// The end of a secret, or of its beginning, that starts at a position; nil if none does.
  ///
  /// - Parameter decoding: whether a percent sign begins an escape where it can.
  private func end(
    of secret: [UInt8], in bytes: [UInt8], at start: Int, decoding: Bool
  ) -> Int? {
    var position = start
    var matched = 0
    while matched < secret.count,
      let next = SentSecrets.next(secret[matched], in: bytes, at: position, decoding: decoding)
    {
      position = next
      matched += 1
    }
    return matched == secret.count || matched >= SentSecrets.recognizedPrefix ? position : nil
  }

  /// The position behind a byte, which may be encoded; nil if another byte is there.
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

  /// The position behind a byte that is percent-encoded, once or several times.
  private static func escaped(_ byte: UInt8, in bytes: [UInt8], at position: Int) -> Int? {
    var digits = position + 1
    while digits + 1 < bytes.count {
      let value = UInt8(String(decoding: bytes[digits...digits + 1], as: UTF8.self), radix: 16)
      if value == byte { return digits + 2 }
      // An escaped percent sign: the text was encoded more than once.
      guard value == UInt8(ascii: "%") else { return nil }
      digits += 2
    }
    return nil
  }

  /// Whether a form field has a secret value: a token, a code, a verifier, an assertion, a password.
  private static func isSecret(_ name: String) -> Bool {
    let name = name.normalised
    let isDescription = ["_type", "_type_hint", "_method", "_use"].contains(where: name.hasSuffix)
    return !isDescription && words.contains(where: name.contains)
  }

  private static let words = [
    "token", "code", "verifier", "assertion", "secret", "passw", "credential", "otp", "pin",
    "nonce", "state",
  ]
  private static let replacement = "<removed>"
  /// Bytes of the shortest value that is removed: a shorter one is part of ordinary words.
  private static let shortest = 4
  /// Bytes from which the beginning of a secret is removed.
  private static let recognizedPrefix = 16
}
