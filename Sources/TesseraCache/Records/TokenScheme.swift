// SPDX-License-Identifier: MIT
// The binding of an access token to a key (proof of possession, SSH certificates).

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
}
