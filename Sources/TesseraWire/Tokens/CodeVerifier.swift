// SPDX-License-Identifier: MIT
// Proof Key for Code Exchange (RFC 7636), so that only the client that requested a code can redeem it.

import Crypto

/// The secret from which the `code_challenge` is derived.
package struct CodeVerifier: Sendable, Hashable {
  /// The `code_verifier`: 43 characters of base64url (RFC 7636 section 4.1).
  package let secret: Secret

  /// The number of random bytes in a verifier.
  package static let byteCount = 32
  /// The challenge method (RFC 7636 section 4.2).
  ///
  /// `plain` is not used: it does not protect a request that an attacker can read.
  package static let method = "S256"

  /// Creates a verifier from random bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    secret = Secret(Base64URL.encode(bytes))
  }

  /// Restores a verifier from its text.
  package init(_ secret: Secret) {
    self.secret = secret
  }

  /// The `code_challenge`, which is not secret.
  package var challenge: String {
    Base64URL.encode(SHA256.hash(data: Array(secret.reveal().utf8)))
  }
}
