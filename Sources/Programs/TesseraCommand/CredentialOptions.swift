// SPDX-License-Identifier: MIT
// The options of a confidential client, for tokens of the application itself.

import ArgumentParser
import Tessera

/// The options of a credential.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Get a token of the application itself with the client secret in a file.",
      valueName: "file", visibility: .hidden), completion: .file())
  var clientSecretFile: String?

  @Option(
    help: ArgumentHelp(
      "Get a token of the application itself with a certificate (PEM, or PKCS #12 with .pfx or .p12).",
      valueName: "file", visibility: .hidden), completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp(
      "The private key of --certificate in PEM, if it is in another file.", valueName: "file",
      visibility: .hidden), completion: .file())
  var keyFile: String?

  func validate() throws {
    guard clientSecretFile == nil || certificate == nil else {
      throw ValidationError("Use one of --client-secret-file and --certificate.")
    }
    guard keyFile == nil || certificate != nil else {
      throw ValidationError("--key-file requires --certificate.")
    }
    guard keyFile == nil || !isPFX else {
      throw ValidationError("A PKCS #12 file contains the key: remove --key-file.")
    }
  }

  /// The credential of the options; nil for a public client.
  var credential: ClientCredential? {
    if let clientSecretFile { return .secretFile(clientSecretFile) }
    guard let certificate else { return nil }
    return .certificate(
      CertificateCredential(
        isPFX
          ? .pfxFile(certificate)
          : .pem(.file(certificate), key: keyFile.map { CertificateCredential.PEM.file($0) })))
  }

  private var isPFX: Bool {
    let name = certificate?.lowercased() ?? ""
    return name.hasSuffix(".pfx") || name.hasSuffix(".p12")
  }
}
