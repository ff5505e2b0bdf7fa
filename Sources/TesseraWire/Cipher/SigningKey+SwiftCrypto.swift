// SPDX-License-Identifier: MIT
// Private keys with the public interface of swift-crypto.

#if !canImport(CTesseraCipher)
  import Crypto
  import CryptoExtras

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A private key of RSA or of the curve P-256.
  package final class SigningKey: Sendable {
    private enum Key: Sendable {
      case rsa(_RSA.Signing.PrivateKey)
      case p256(P256.Signing.PrivateKey)
    }

    private let key: Key

    /// Reads a key in DER: a PrivateKeyInfo (RFC 5208), an RSAPrivateKey (RFC 8017) or an ECPrivateKey (RFC 5915).
    ///
    /// Returns nil if the bytes are not such a key, or if an RSA key is smaller than ``minimumRSABits``.
    ///
    /// - Parameter passphrase: The passphrase of an EncryptedPrivateKeyInfo, which must contain an RSA key; nil for a key
    ///   that is not encrypted.
    package init?(der: [UInt8], passphrase: Secret? = nil) {
      if let passphrase {
        guard let rsa = SigningKey.decrypted(der, passphrase) else { return nil }
        key = .rsa(rsa)
      } else if let rsa = try? _RSA.Signing.PrivateKey(derRepresentation: der) {
        key = .rsa(rsa)
      } else if let p256 = try? P256.Signing.PrivateKey(derRepresentation: der) {
        key = .p256(p256)
      } else {
        return nil
      }
    }

    private static func decrypted(_ der: [UInt8], _ passphrase: Secret) -> _RSA.Signing.PrivateKey?
    {
      let pem = PEMBlock(label: "ENCRYPTED PRIVATE KEY", bytes: der).text
      let rsa = try? _RSA.Signing.PrivateKey(encryptedPEMRepresentation: pem) { setPassphrase in
        setPassphrase(Array(passphrase.reveal().utf8))
      }
      guard let rsa, rsa.keySizeInBits >= minimumRSABits else { return nil }
      return rsa
    }

    /// Whether the key can sign with an algorithm.
    package func supports(_ algorithm: SignatureAlgorithm) -> Bool {
      switch key {
      case .rsa: algorithm != .es256
      case .p256: algorithm == .es256
      }
    }

    /// Signs a message (RFC 7518 sections 3.3 to 3.5); nil if the key does not support the algorithm.
    package func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
      switch (key, algorithm) {
      case (.rsa(let rsa), .ps256), (.rsa(let rsa), .rs256):
        let padding: _RSA.Signing.Padding = algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5
        let signature = try? rsa.signature(for: SHA256.hash(data: message), padding: padding)
        return signature.map { [UInt8]($0.rawRepresentation) }
      case (.p256(let p256), .es256):
        return (try? p256.signature(for: message)).map { [UInt8]($0.rawRepresentation) }
      default: return nil
      }
    }

    /// Whether a certificate has the public key of this key; nil if this cannot be determined.
    ///
    /// swift-crypto does not read certificates.
    package func matches(certificate: [UInt8]) -> Bool? { nil }
  }

  extension KeyStore {
    /// Whether this build can read PKCS #12 files.
    package static var isSupported: Bool { false }

    /// Returns nil, because swift-crypto does not read PKCS #12 files.
    package init?(pfx: [UInt8], passphrase: Secret?) {
      return nil
    }
  }

  extension Cipher {
    /// Returns the SHA-1 digest of bytes, for the `x5t` of older servers.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
      Array(Insecure.SHA1.hash(data: bytes))
    }
  }
#endif
