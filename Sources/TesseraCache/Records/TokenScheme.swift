// SPDX-License-Identifier: MIT
// The binding of an access token to a key (proof of possession, SSH certificates).

package import TesseraWire

/// An authentication scheme other than bearer.
package struct TokenScheme: Sendable, Hashable {
  /// The token type, such as `Pop`.
  package let name: String
  /// The thumbprint of the key.
  package let keyID: String

  package init(name: String, keyID: String) {
    self.name = name
    self.keyID = keyID
  }

  /// Creates the scheme that the extra fields of a request ask for, or returns `nil` for bearer.
  ///
  /// Proof of possession names the key as `kid` in the base64url JSON of `req_cnf`, SSH certificates as `key_id`.
  package init?(fields: FormFields) {
    guard let name = fields["token_type"] else { return nil }
    let confirmation = fields["req_cnf"].flatMap { Base64URL.decode($0) }
      .flatMap { try? JSONValue(parsing: $0) }
    guard let keyID = fields["key_id"] ?? confirmation?.object?["kid"]?.string else { return nil }
    self.init(name: name, keyID: keyID)
  }
}
