// SPDX-License-Identifier: MIT
// The certificate of an application, which is parsed again after its files were replaced.

import TesseraEngine
import TesseraWire

/// The certificate of a credential.
///
/// Its files are read for each request, and parsed if their contents have changed.
final class LoadedCertificate: Sendable {
  /// A certificate, and the digest of the contents that it was parsed from.
  private struct Loaded {
    let certificate: ClientCertificate
    let digest: [UInt8]
  }

  private let source: CertificateCredential
  private let loaded = SpinLock(Loaded?.none)

  init(_ source: CertificateCredential) {
    self.source = source
  }

  /// Returns the certificate.
  ///
  /// Files that are being replaced do not fail a call: the previous certificate is used.
  ///
  /// - Throws: `fixConfiguration` for files that cannot be read or used, if none was loaded before.
  func current() throws(TesseraError) -> ClientCertificate {
    do throws(TesseraError) {
      return try reloaded()
    } catch {
      guard let known = loaded.withLock({ $0 }) else { throw error }
      return known.certificate
    }
  }

  /// Returns the certificate in the files.
  ///
  /// - Throws: `fixConfiguration` for files that cannot be read or used.
  private func reloaded() throws(TesseraError) -> ClientCertificate {
    let contents = try CertificateContents(source)
    if let known = loaded.withLock({ $0 }), known.digest == contents.digest {
      return known.certificate
    }
    let certificate = try contents.certificate(source.passphrase)
    loaded.withLock { $0 = Loaded(certificate: certificate, digest: contents.digest) }
    return certificate
  }
}

/// The contents of the files of a certificate.
private enum CertificateContents {
  case pem(certificate: Secret, key: Secret)
  case pfx([UInt8])

  /// Reads the files.
  ///
  /// - Throws: `fixConfiguration` for a file that cannot be read.
  init(_ source: CertificateCredential) throws(TesseraError) {
    switch source.contents {
    case .pfxFile(let path): self = .pfx(try CredentialFile.bytes(path, "pfx_file"))
    case .pem(let certificate, let key):
      let text = try CertificateContents.text(certificate, "certificate_file")
      self = .pem(
        certificate: text,
        key: try key.map { key throws(TesseraError) in
          try CertificateContents.text(key, "key_file")
        } ?? text)
    }
  }

  private static func text(
    _ pem: CertificateCredential.PEM, _ member: String
  ) throws(TesseraError) -> Secret {
    switch pem {
    case .text(let text): text
    case .file(let path): try CredentialFile.text(path, member)
    }
  }

  /// The SHA-256 of the contents.
  var digest: [UInt8] {
    switch self {
    case .pem(let certificate, let key):
      Cipher.sha256(certificate.reveal()) + Cipher.sha256(key.reveal())
    case .pfx(let bytes): Cipher.sha256(bytes)
    }
  }

  /// Parses the certificate and its key.
  ///
  /// - Throws: `fixConfiguration` for a certificate that cannot be used.
  func certificate(_ passphrase: Secret?) throws(TesseraError) -> ClientCertificate {
    do throws(WireError) {
      switch self {
      case .pem(let certificate, let key):
        return try ClientCertificate(
          certificates: certificate.reveal(), key: key, passphrase: passphrase)
      case .pfx(let bytes): return try ClientCertificate(pfx: bytes, passphrase: passphrase)
      }
    } catch {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The certificate of credential cannot be used. \(error.message)")
    }
  }
}
