// SPDX-License-Identifier: MIT
// Parameters that the application adds to requests: form fields of token requests, and query parameters of endpoints.

/// Parameters that the application adds to requests.
package struct ExtraParameters: Sendable, Hashable {
  /// Additional form fields of token requests.
  package var tokenFields: [String: String] = [:]
  /// Additional query parameters of the authorization, device authorization and token endpoints.
  package var query: [String: String] = [:]

  /// Creates an empty set.
  package init() {}

  /// Whether there are no parameters.
  package var isEmpty: Bool { tokenFields.isEmpty && query.isEmpty }

  /// Returns the endpoint with the query parameters.
  ///
  /// They replace parameters of the same name. Spaces are encoded as `%20` (MSAL for Apple).
  package func endpoint(_ address: String) -> String {
    guard !query.isEmpty else { return address }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var fields = FormFields()
    for field in FormFields(decoding: parts.dropFirst().first ?? "").fields
    where query[field.name] == nil {
      fields.add(field.name, evenIfBlank: field.value)
    }
    for (name, value) in query.sorted(by: { $0.key < $1.key }) {
      fields.add(name, evenIfBlank: value)
    }
    let text = fields.encoded.replacing("+", with: "%20")
    return String(parts.first ?? "") + (text.isEmpty ? "" : "?" + text)
  }

  /// Returns the first problem, as the rest of a sentence that starts with the member's name; nil if all are valid.
  package static func problem(in parameters: [String: String]) -> String? {
    guard parameters.count <= 50 else { return "has more than 50 parameters: remove some." }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard (1...100).contains(name.utf8.count),
        name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        return "has an invalid name: use 1 to 100 printable ASCII characters without spaces."
      }
      guard name.lowercased() != "client_secret" else {
        return
          "has \"client_secret\", but a public client has no secret, and confidential clients are not supported: remove it."
      }
      guard !reservedFields.contains(name.lowercased()) else {
        return "has \"\(name)\", which the library sends itself: remove it."
      }
      guard value.utf8.count <= 4096,
        !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        return
          "has an invalid value for \"\(name)\": use at most 4096 bytes, without control characters."
      }
    }
    return nil
  }

  /// The parameters that the library sends itself.
  ///
  /// Replacing one of them could sign in a different account, or send a secret to another destination.
  package static let reservedFields: Set<String> = [
    "assertion", "claims", "client_assertion", "client_assertion_type", "client_id", "client_info",
    "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier",
    "device_code", "grant_type", "instance_aware", "nonce", "password", "redirect_uri",
    "refresh_token", "req_cnf",
    "requested_token_use", "response_mode", "response_type", "scope", "state", "token_type",
    "username",
  ]
}
