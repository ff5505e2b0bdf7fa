// SPDX-License-Identifier: MIT
// What a program adds to the messages of every exchange: fields of token requests, and a query for endpoints.

/// Parameters that a program adds of its own accord.
package struct ExtraParameters: Sendable, Hashable {
  /// Fields of the body of token requests.
  package var tokenFields: [String: String] = [:]
  /// Fields of the query of the endpoints that sign in and give tokens.
  package var query: [String: String] = [:]

  /// None.
  package init() {}

  /// Whether there is none.
  package var isEmpty: Bool { tokenFields.isEmpty && query.isEmpty }

  /// An endpoint with the query; a field that it has already is replaced.
  ///
  /// In a query a space is `%20` (MSAL for Apple).
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

  /// What is wrong with parameters, as the rest of a sentence that begins with their member; nil for nothing.
  package static func fault(in parameters: [String: String]) -> String? {
    guard parameters.count <= 50 else { return "has more than 50 parameters: leave out some." }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard (1...100).contains(name.utf8.count),
        name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        return "has a name that cannot be sent: use 1 to 100 printable characters without spaces."
      }
      guard name.lowercased() != "client_secret" else {
        return
          "has \"client_secret\", but a public client has no secret, and confidential clients are not supported: leave it out."
      }
      guard !ownFields.contains(name.lowercased()) else {
        return "has \"\(name)\", which the library sends itself: leave it out."
      }
      guard value.utf8.count <= 4096,
        !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        return
          "has a value for \"\(name)\" that cannot be sent: use at most 4096 bytes, and no control characters."
      }
    }
    return nil
  }

  /// Fields that the library sends itself.
  ///
  /// Whoever could replace them would sign somebody else in, or send a secret elsewhere.
  package static let ownFields: Set<String> = [
    "assertion", "claims", "client_assertion", "client_assertion_type", "client_id", "client_info",
    "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier",
    "device_code", "grant_type", "instance_aware", "nonce", "password", "redirect_uri",
    "refresh_token", "req_cnf",
    "requested_token_use", "response_mode", "response_type", "scope", "state", "token_type",
    "username",
  ]
}
