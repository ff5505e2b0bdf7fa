// SPDX-License-Identifier: MIT
// Proof Key for Code Exchange (RFC 7636): only who asked for a code can redeem it.

import Crypto

/// The secret behind a `code_challenge`.
package struct CodeVerifier: Sendable, Hashable {
  /// The `code_verifier`: 43 characters of base64url (RFC 7636 section 4.1).
  package let secret: Secret

  /// How many random bytes a verifier is made of.
  package static let byteCount = 32
  /// The only method that is used (RFC 7636 section 4.2): `plain` protects nothing that can be read.
  package static let method = "S256"

  /// A verifier made of random bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    secret = Secret(Base64URL.encode(bytes))
  }

  /// A verifier that was made before.
  package init(_ secret: Secret) {
    self.secret = secret
  }

  /// The `code_challenge`, which may be seen.
  package var challenge: String {
    Base64URL.encode(SHA256.hash(data: Array(secret.reveal().utf8)))
  }
}
