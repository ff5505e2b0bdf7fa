// SPDX-License-Identifier: MIT
// Private keys that sign. Two files implement them, like the other cryptography; see Cipher.swift.

/// A signature algorithm, by its name in JSON web signatures (RFC 7518 section 3.1).
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// RSASSA-PSS with SHA-256.
  case ps256 = "PS256"
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
  /// ECDSA with P-256 and SHA-256.
  case es256 = "ES256"
}

extension SigningKey {
  /// The minimum size of an RSA key, in bits (RFC 7518 section 3.3).
  package static let minimumRSABits = 2048
}

/// The private key and the certificates of a PKCS #12 file (RFC 7292), in DER.
package struct KeyStore: Sendable {
  /// The private key as PrivateKeyInfo (RFC 5208), which is overwritten by ``SigningKey``.
  package var key: [UInt8]
  /// The certificates, in the order of the file.
  package var certificates: [[UInt8]]

  package init(key: [UInt8], certificates: [[UInt8]]) {
    self.key = key
    self.certificates = certificates
  }
}
