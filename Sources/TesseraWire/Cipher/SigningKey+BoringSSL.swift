// SPDX-License-Identifier: MIT
// Private keys with the functions of BoringSSL.

#if canImport(CTesseraCipher)
  import CTesseraCipher

  /// A private key of RSA or of the curve P-256.
  ///
  /// It is overwritten when it is deallocated.
  package final class SigningKey: @unchecked Sendable {
    // Immutable, and thread-safe after its creation.
    private let key: OpaquePointer

    /// Reads a key in DER: a PrivateKeyInfo (RFC 5208), an RSAPrivateKey (RFC 8017) or an ECPrivateKey (RFC 5915).
    ///
    /// Returns nil if the bytes are not such a key, or if an RSA key is smaller than ``minimumRSABits``.
    ///
    /// - Parameter passphrase: The passphrase of an EncryptedPrivateKeyInfo; nil for a key that is not encrypted.
    package init?(der: [UInt8], passphrase: Secret? = nil) {
      var text = passphrase?.reveal()
      let key =
        text?.withUTF8 { text in
          text.withMemoryRebound(to: CChar.self) {
            ctessera_private_key_create(der, der.count, $0.baseAddress, $0.count)
          }
        } ?? (passphrase == nil ? ctessera_private_key_create(der, der.count, nil, 0) : nil)
      guard let key else { return nil }
      self.key = key
    }

    deinit {
      ctessera_private_key_free(key)
    }

    /// Whether the key can sign with an algorithm.
    package func supports(_ algorithm: SignatureAlgorithm) -> Bool {
      ctessera_private_key_supports(key, algorithm.number)
    }

    /// Signs a message (RFC 7518 sections 3.3 to 3.5); nil if the key does not support the algorithm.
    package func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]? {
      let size = Int(CTESSERA_SIGNATURE_SIZE)
      let signature = [UInt8](unsafeUninitializedCapacity: size) { signature, count in
        count = ctessera_private_key_sign(
          key, algorithm.number, message, message.count, signature.baseAddress)
      }
      return signature.isEmpty ? nil : signature
    }

    /// Whether a certificate has the public key of this key; nil if this cannot be determined.
    package func matches(certificate: [UInt8]) -> Bool? {
      ctessera_private_key_matches(key, certificate, certificate.count)
    }
  }

  extension SignatureAlgorithm {
    fileprivate var number: ctessera_algorithm {
      switch self {
      case .ps256: CTESSERA_PS256
      case .rs256: CTESSERA_RS256
      case .es256: CTESSERA_ES256
      }
    }
  }

  extension KeyStore {
    /// Whether this build can read PKCS #12 files.
    package static var isSupported: Bool { true }

    /// Reads a PKCS #12 file; nil if the file or the passphrase is invalid.
    package init?(pfx: [UInt8], passphrase: Secret?) {
      var found = KeyStore(key: [], certificates: [])
      let isRead = withUnsafeMutablePointer(to: &found) { found in
        ctessera_pfx_read(pfx, pfx.count, passphrase?.reveal() ?? "", found) {
          context, isKey, der, size in
          guard let found = context?.assumingMemoryBound(to: KeyStore.self), let der else { return }
          let bytes = [UInt8](UnsafeBufferPointer(start: der, count: size))
          if isKey {
            found.pointee.key = bytes
          } else {
            found.pointee.certificates.append(bytes)
          }
        }
      }
      guard isRead else { return nil }
      self = found
    }
  }

  extension Cipher {
    /// Returns the SHA-1 digest of bytes, for the `x5t` of older servers.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
      let size = Int(CTESSERA_SHA1_SIZE)
      return [UInt8](unsafeUninitializedCapacity: size) { digest, count in
        ctessera_sha1(bytes, bytes.count, digest.baseAddress)
        count = size
      }
    }
  }
#endif
