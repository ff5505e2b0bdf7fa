// SPDX-License-Identifier: MIT
// The certificate with which an application authenticates.

/// A certificate with its private key.
package struct ClientCertificate: Sendable {
  /// The certificates in DER: the one of the application, and then those of its issuers, if there are any.
  package let chain: [[UInt8]]
  /// The private key.
  package let key: SigningKey

  /// Reads certificates and a key in PEM.
  ///
  /// - Parameters:
  ///   - certificates: One or more blocks `CERTIFICATE`; the application's own certificate comes first.
  ///   - key: A text with one private key; it may be the same text.
  ///   - passphrase: The passphrase of an encrypted key.
  /// - Throws: ``WireError`` with a code that starts with `pem_` or `certificate_`.
  package init(certificates: String, key: Secret, passphrase: Secret?) throws(WireError) {
    let chain = try PEMBlock.blocks(of: certificates).filter { $0.label == "CERTIFICATE" }
    guard !chain.isEmpty else {
      throw WireError("certificate_missing", "The PEM text has no block CERTIFICATE.")
    }
    self.key = try ClientCertificate.privateKey(in: key, passphrase: passphrase)
    self.chain = try ClientCertificate.ordered(chain.map(\.bytes), self.key)
  }

  /// Reads a PKCS #12 file.
  ///
  /// - Throws: ``WireError`` with a code that starts with `certificate_`.
  package init(pfx: [UInt8], passphrase: Secret?) throws(WireError) {
    guard KeyStore.isSupported else {
      throw WireError(
        "certificate_unsupported",
        "This build cannot read PKCS #12 files: convert the file to PEM with `openssl pkcs12 -nodes`."
      )
    }
    guard var store = KeyStore(pfx: pfx, passphrase: passphrase) else {
      throw WireError(
        "certificate_invalid", "The PKCS #12 file is damaged, or the passphrase is wrong.")
    }
    defer { store.key.withUnsafeMutableBytes { $0.overwrite() } }
    guard let key = SigningKey(der: store.key) else { throw ClientCertificate.unusableKey() }
    guard !store.certificates.isEmpty else {
      throw WireError("certificate_missing", "The PKCS #12 file has no certificate.")
    }
    self.key = key
    chain = try ClientCertificate.ordered(store.certificates, key)
  }

  /// Reads a private key in PEM.
  ///
  /// - Throws: ``WireError`` with a code that starts with `pem_` or `certificate_key_`.
  package static func privateKey(
    in text: Secret, passphrase: Secret?
  ) throws(WireError) -> SigningKey {
    let blocks = try PEMBlock.blocks(of: text.reveal()).filter { $0.label.hasSuffix("PRIVATE KEY") }
    guard let block = blocks.first, blocks.count == 1 else {
      throw WireError(
        "certificate_key_missing",
        "The PEM text has \(blocks.isEmpty ? "no private key" : "more than one private key").")
    }
    let isEncrypted = block.label == "ENCRYPTED PRIVATE KEY"
    guard !isEncrypted || passphrase != nil else {
      throw WireError(
        "certificate_key_encrypted", "The private key is encrypted: set passphrase as well.")
    }
    var der = block.bytes
    defer { der.withUnsafeMutableBytes { $0.overwrite() } }
    guard let key = SigningKey(der: der, passphrase: isEncrypted ? passphrase : nil) else {
      guard isEncrypted else { throw unusableKey() }
      throw WireError(
        "certificate_key_invalid",
        "The private key cannot be decrypted: the passphrase is wrong, or the key is of another type than RSA."
      )
    }
    return key
  }

  private static func unusableKey() -> WireError {
    WireError(
      "certificate_key_invalid",
      "The private key is not usable: it must be an RSA key of at least \(SigningKey.minimumRSABits) bits or a key of the curve P-256."
    )
  }

  /// Returns the certificates with the one that belongs to the key first.
  private static func ordered(_ chain: [[UInt8]], _ key: SigningKey) throws(WireError) -> [[UInt8]]
  {
    let matches = chain.map { key.matches(certificate: $0) }
    guard let index = matches.firstIndex(where: { $0 != false }) else {
      throw WireError(
        "certificate_key_mismatch", "The private key belongs to none of the certificates.")
    }
    return [chain[index]] + chain[..<index] + chain[(index + 1)...]
  }

  /// The certificate of the application, in DER.
  private var leaf: [UInt8] { chain.first ?? [] }

  /// The SHA-1 thumbprint in base64url (RFC 7515 section 4.1.7).
  package var x5t: String { Base64URL.encode(Cipher.sha1(leaf)) }

  /// The SHA-256 thumbprint in base64url (RFC 7515 section 4.1.8).
  package var x5tS256: String { Base64URL.encode(Cipher.sha256(leaf)) }

  /// The certificates in base64, the application's own first (RFC 7515 section 4.1.6).
  package var x5c: [String] { chain.map(Base64URL.encodeStandard) }
}
