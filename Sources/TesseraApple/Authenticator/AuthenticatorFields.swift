// SPDX-License-Identifier: MIT
// The fields of a Microsoft Authenticator response, parsed as in MSAL for Apple.

package import TesseraWire

/// The fields of the outer query, or of its decrypted payload.
package struct AuthenticatorFields: Sendable, Hashable {
  /// The fields by name; the last value of a repeated name.
  package private(set) var values: [String: String] = [:]

  /// The string that brokers write for nil.
  private static let null = "(null)"
  /// The maximum number of elements.
  ///
  /// Further elements are ignored.
  private static let limit = 500

  /// Parses form-encoded text.
  ///
  /// Skips elements with more than one `=`, and elements without a name.
  package init(decoding text: some StringProtocol) {
    for element in text.split(separator: "&").prefix(AuthenticatorFields.limit) {
      let parts = element.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count <= 2, let first = parts.first else { continue }
      let name = FormFields.unescape(String(first).trimmed)
      guard name.nonBlank != nil else { continue }
      let value = parts.count == 2 ? FormFields.unescape(String(parts[1]).trimmed) : ""
      values[name] = value == AuthenticatorFields.null ? nil : value
    }
  }

  /// Parses the query of a URL.
  package init(of address: String) {
    self.init(decoding: address.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
  }

  /// Returns the value of a field; nil if it is absent or blank.
  package subscript(_ name: String) -> String? { values[name]?.nonBlank }

  /// Returns the value of a field that contains a secret; nil if it is absent or blank.
  package func secret(_ name: String) -> Secret? { self[name].map { Secret($0) } }
}

extension AuthenticatorFields: CustomStringConvertible, CustomReflectable {
  /// Always `<redacted>`, because the fields can contain tokens.
  package var description: String { "<redacted>" }

  /// An empty mirror, so that `dump` and a debugger show no fields.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
