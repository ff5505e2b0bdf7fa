// SPDX-License-Identifier: MIT
// The fields of an answer of Microsoft Authenticator, read as MSAL for Apple reads them.

/// Names and values of a query, or of what it held encrypted.
package struct AuthenticatorFields: Sendable, Hashable {
  /// The fields; of one that is there twice, the last.
  package private(set) var values: [String: String] = [:]

  /// What brokers write for nothing.
  private static let null = "(null)"
  /// An answer has no more fields than that.
  private static let limit = 500

  /// Reads form-encoded text; an element with more than one `=` is skipped, and so is one without a name.
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

  /// Reads the query of an address.
  package init(of address: String) {
    self.init(decoding: address.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
  }

  /// The value of a field; nil for one that is blank.
  package subscript(_ name: String) -> String? { values[name]?.nonBlank }

  /// The value of a field that is secret.
  package func secret(_ name: String) -> Secret? { self[name].map { Secret($0) } }
}

extension AuthenticatorFields: CustomStringConvertible, CustomReflectable {
  /// Always `<redacted>`: there are tokens among the fields.
  package var description: String { "<redacted>" }

  /// Empty, so that `dump` and a debugger show nothing.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
