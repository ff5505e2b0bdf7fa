// SPDX-License-Identifier: MIT
// The credential of a confidential client.

public import TesseraWire

/// The credential by which a confidential client authenticates at the token endpoint (RFC 6749 section 2.3).
///
/// Files are read when a request needs them. A replaced file is used without a restart.
public enum ClientCredential: Sendable {
  /// A client secret.
  case secret(Secret)
  /// A file with a client secret, which is read for each request.
  ///
  /// Line breaks at its end are ignored.
  case secretFile(String)
  /// A certificate with its private key, which signs an assertion for each request (RFC 7523 section 2.2).
  case certificate(CertificateCredential)
  /// An assertion that another issuer signed (RFC 7521 section 4.2).
  ///
  /// It expires. Use a file or a function unless the process ends before.
  case assertion(Secret)
  /// A file with an assertion, such as the projected token of a Kubernetes service account.
  ///
  /// It is read for each request.
  case assertionFile(String)
  /// A function that returns an assertion.
  ///
  /// It is called for each request, on the thread of the call.
  case assertionFunction(@Sendable (AssertionRequest) throws -> Secret)
}

/// A certificate with its private key.
public struct CertificateCredential: Sendable {
  /// A PEM text.
  public enum PEM: Sendable {
    /// The text itself.
    case text(Secret)
    /// The path of a file.
    case file(String)
  }

  /// The form of the certificate and the key.
  public enum Contents: Sendable {
    /// PEM texts (RFC 7468); the application's own certificate comes first.
    ///
    /// Without a separate key, the text of the certificate contains it.
    case pem(PEM, key: PEM? = nil)
    /// The path of a PKCS #12 file (RFC 7292).
    case pfxFile(String)
  }

  /// The certificate and the key.
  public var contents: Contents
  /// The passphrase of the key or of the PKCS #12 file; `nil` for none.
  public var passphrase: Secret?
  /// Whether assertions contain the certificate with those of its issuers (`x5c`).
  ///
  /// Entra ID then accepts every certificate of a trusted subject and issuer.
  public var sendsChain: Bool

  /// Creates a credential.
  public init(_ contents: Contents, passphrase: Secret? = nil, sendsChain: Bool = false) {
    self.contents = contents
    self.passphrase = passphrase
    self.sendsChain = sendsChain
  }
}

/// The request for which a function returns an assertion (``ClientCredential/assertionFunction(_:)``).
public struct AssertionRequest: Sendable {
  /// The client ID of the application.
  public let clientID: String
  /// The token endpoint that receives the assertion.
  public let tokenEndpoint: String
  /// The tenant of the authority; empty for a provider without tenants.
  public let tenantID: String
  /// The expected audience of the assertion: the token endpoint or the issuer; see
  /// ``ApplicationConfiguration/assertionAudience``.
  public let audience: String
  /// The `claims` parameter of the token request, as JSON text; `nil` for none.
  public let claims: String?
  /// The correlation ID of the call.
  public let correlationID: String

  package init(
    clientID: String, tokenEndpoint: String, tenantID: String, audience: String, claims: String?,
    correlationID: String
  ) {
    self.clientID = clientID
    self.tokenEndpoint = tokenEndpoint
    self.tenantID = tenantID
    self.audience = audience
    self.claims = claims
    self.correlationID = correlationID
  }
}

/// The method of client authentication (OpenID Connect Core section 9).
public enum ClientAuthenticationMethod: String, Sendable, CaseIterable {
  /// The client secret in the body of the request.
  case clientSecretPost = "client_secret_post"
  /// The client secret in the header field `Authorization`.
  case clientSecretBasic = "client_secret_basic"
  /// A signed assertion.
  case privateKeyJWT = "private_key_jwt"
}

/// The audience of the assertions that a confidential client signs.
public enum AssertionAudience: String, Sendable, CaseIterable {
  /// The token endpoint, which Entra ID and ADFS require.
  case tokenEndpoint = "token_endpoint"
  /// The issuer, so that no other provider can use the assertion (RFC 7523bis).
  case issuer
}

extension ClientCredential: CustomStringConvertible, CustomReflectable {
  /// The kind of the credential.
  public var description: String {
    switch self {
    case .secret: "secret"
    case .secretFile: "secret_file"
    case .certificate: "certificate"
    case .assertion: "assertion"
    case .assertionFile: "assertion_file"
    case .assertionFunction: "assertion_callback"
    }
  }

  /// A mirror with the kind only.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

extension CertificateCredential: CustomStringConvertible, CustomReflectable {
  /// The name of the type.
  public var description: String { "certificate" }

  /// A mirror without the contents.
  public var customMirror: Mirror { Mirror(self, children: ["sendsChain": sendsChain]) }
}

extension CertificateCredential.PEM: CustomStringConvertible, CustomReflectable {
  /// The kind of the text.
  public var description: String {
    switch self {
    case .text: "text"
    case .file: "file"
    }
  }

  /// A mirror with the kind only.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

extension ClientCredential? {
  /// Checks the credential and the settings that depend on it, without reading a file.
  ///
  /// - Throws: `fixConfiguration` with a message that names the invalid setting.
  func check(in configuration: ApplicationConfiguration) throws(TesseraError) {
    guard let credential = self else {
      guard configuration.authenticationMethod == nil, configuration.assertionAudience == nil else {
        throw ClientCredential.invalid(
          "authentication_method and assertion_audience require credential: add it, or remove them."
        )
      }
      return
    }
    try credential.check()
    if let method = configuration.authenticationMethod {
      let isForSecrets = method != .privateKeyJWT
      guard isForSecrets == credential.isSecret else {
        throw ClientCredential.invalid(
          "authentication_method \"\(method.rawValue)\" requires a credential with "
            + (isForSecrets ? "secret or secret_file." : "a certificate or an assertion."))
      }
    }
    guard configuration.assertionAudience == nil || !credential.isSecret else {
      throw ClientCredential.invalid(
        "assertion_audience has no effect with a client secret: remove it.")
    }
    guard !configuration.supportsMultipleClouds else {
      throw ClientCredential.invalid(
        "multiple_clouds is for public clients: remove it, because a credential is registered in one cloud."
      )
    }
    guard configuration.broker == .never else {
      throw ClientCredential.invalid(
        "broker is for public clients: remove it, or remove credential.")
    }
  }
}

extension ClientCredential {
  /// Whether it is a client secret.
  var isSecret: Bool {
    switch self {
    case .secret, .secretFile: true
    case .certificate, .assertion, .assertionFile, .assertionFunction: false
    }
  }

  /// Checks that no text is empty.
  fileprivate func check() throws(TesseraError) {
    switch self {
    case .secret(let secret): try ClientCredential.check(secret.reveal(), "secret")
    case .secretFile(let path): try ClientCredential.check(path, "secret_file")
    case .assertion(let assertion): try ClientCredential.check(assertion.reveal(), "assertion")
    case .assertionFile(let path): try ClientCredential.check(path, "assertion_file")
    case .assertionFunction: break
    case .certificate(let certificate):
      switch certificate.contents {
      case .pfxFile(let path): try ClientCredential.check(path, "pfx_file")
      case .pem(let text, let key):
        try text.check("certificate")
        try key?.check("key")
      }
    }
  }

  fileprivate static func check(_ text: String, _ member: String) throws(TesseraError) {
    guard text.nonBlank == nil else { return }
    throw invalid("credential.\(member) is empty: specify a value or remove it.")
  }

  static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}

extension CertificateCredential.PEM {
  fileprivate func check(_ name: String) throws(TesseraError) {
    switch self {
    case .text(let text): try ClientCredential.check(text.reveal(), name + "_pem")
    case .file(let path): try ClientCredential.check(path, name + "_file")
    }
  }
}
