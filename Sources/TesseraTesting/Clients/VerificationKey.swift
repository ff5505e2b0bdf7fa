// SPDX-License-Identifier: MIT
// The public keys of clients. swift-crypto verifies with them, independently of the code of the library that signs.

import Crypto
import CryptoExtras
import TesseraWire

/// An algorithm of a signature, by its name in JSON web signatures (RFC 7518 section 3.1).
enum VerificationAlgorithm: String, CaseIterable {
  case rs256 = "RS256"
  case ps256 = "PS256"
  case es256 = "ES256"
}

/// A public key of RSA or of the curve P-256.
enum VerificationKey: Sendable {
  case rsa(_RSA.Signing.PublicKey)
  case p256(P256.Signing.PublicKey)

  /// Reads a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7); nil for a key of another kind, or a short RSA key.
  init?(subjectPublicKeyInfo der: [UInt8]) {
    if let rsa = try? _RSA.Signing.PublicKey(derRepresentation: der) {
      guard rsa.keySizeInBits >= 2048 else { return nil }
      self = .rsa(rsa)
    } else if let p256 = try? P256.Signing.PublicKey(derRepresentation: der) {
      self = .p256(p256)
    } else {
      return nil
    }
  }

  /// Whether a signature of a JSON web signature is valid (RFC 7518 sections 3.3 to 3.5).
  func verifies(
    _ signature: [UInt8], of message: [UInt8], _ algorithm: VerificationAlgorithm
  ) -> Bool {
    switch (self, algorithm) {
    case (.rsa(let key), .rs256), (.rsa(let key), .ps256):
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
        padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
    case (.p256(let key), .es256):
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      return signature.map { key.isValidSignature($0, for: message) } ?? false
    default: return false
    }
  }

  /// Whether the signature of a certificate is valid, which has another format than a JSON web signature for ECDSA.
  func verifies(certificate message: [UInt8], signature: [UInt8]) -> Bool {
    switch self {
    case .rsa: return verifies(signature, of: message, .rs256)
    case .p256(let key):
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
      return signature.map { key.isValidSignature($0, for: message) } ?? false
    }
  }
}
