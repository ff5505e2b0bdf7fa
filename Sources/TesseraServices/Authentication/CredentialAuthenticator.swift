// SPDX-License-Identifier: MIT
// The authentication of requests with the credential of an application.

import TesseraEngine
import TesseraPlatform
import TesseraWire

/// Authenticates requests with the credential of an application.
final class CredentialAuthenticator: ClientAuthenticator {
  private let credential: ClientCredential
  private let method: ClientAuthenticationMethod?
  private let audience: AssertionAudience?
  private let time: any TimeSource
  private let randomness: any Randomness
  /// The certificate; `nil` for a credential of another kind.
  private let certificate: LoadedCertificate?

  init(
    _ credential: ClientCredential, _ configuration: ApplicationConfiguration,
    _ dependencies: Dependencies
  ) {
    self.credential = credential
    method = configuration.authenticationMethod
    audience = configuration.assertionAudience
    time = dependencies.time
    randomness = dependencies.randomness
    certificate =
      if case .certificate(let source) = credential { LoadedCertificate(source) } else { nil }
  }

  func credential(
    for request: AuthenticatedRequest
  ) throws(TesseraError) -> CredentialProof {
    switch credential {
    case .secret(let secret): presented(secret, to: request.authority)
    case .secretFile(let path):
      presented(try CredentialFile.text(path, "secret_file"), to: request.authority)
    case .certificate: try signed(by: certificate?.current(), for: request)
    case .assertion(let assertion): presented(assertion)
    case .assertionFile(let path): presented(try CredentialFile.text(path, "assertion_file"))
    case .assertionFunction(let function): presented(try call(function, for: request))
    }
  }

  func replacement(
    for rejected: CredentialProof, _ rejection: ServerError, in request: AuthenticatedRequest
  ) -> CredentialProof? {
    guard rejection.isOfCredential else { return nil }
    let other: CredentialProof?
    switch credential {
    case .secret, .assertion, .assertionFunction: return nil
    case .secretFile, .assertionFile, .certificate: other = try? credential(for: request)
    }
    return other?.digest == rejected.digest ? nil : other
  }

  /// Returns the authentication with a client secret.
  private func presented(
    _ secret: Secret, to authority: ResolvedAuthority
  ) -> CredentialProof {
    let method = method ?? ClientAuthenticationMethod(ofSecretAt: authority)
    return CredentialProof(
      method == .clientSecretBasic ? .secretInHeader(secret) : .secretInBody(secret),
      digest: Cipher.sha256(secret.reveal()))
  }

  /// Returns the authentication with an assertion.
  private func presented(_ assertion: Secret) -> CredentialProof {
    CredentialProof(.clientAssertion(assertion), digest: Cipher.sha256(assertion.reveal()))
  }

  /// Returns the authentication with an assertion that a certificate's key signs.
  private func signed(
    by certificate: ClientCertificate?, for request: AuthenticatedRequest
  ) throws(TesseraError) -> CredentialProof {
    guard let certificate else { throw CredentialFile.invalid("certificate", "there is none") }
    var assertion = ClientAssertion(
      clientID: request.clientID, audience: audience(of: request))
    assertion.form = ClientAssertion.Form(at: request.authority)
    if case .certificate(let source) = credential { assertion.sendsChain = source.sendsChain }
    guard let text = assertion.signed(by: certificate, at: time.now, id: randomness.uuid()) else {
      throw CredentialFile.invalid("certificate", "its key cannot sign")
    }
    return CredentialProof(
      .clientAssertion(text), digest: Cipher.sha256(certificate.x5tS256))
  }

  private func audience(of request: AuthenticatedRequest) -> String {
    let isMicrosoft = request.authority.authority.isMicrosoft
    switch audience ?? (isMicrosoft ? .tokenEndpoint : .issuer) {
    case .tokenEndpoint: return request.authority.configuration.tokenEndpoint
    case .issuer: return request.authority.configuration.issuer
    }
  }

  private func call(
    _ function: (AssertionRequest) throws -> Secret, for request: AuthenticatedRequest
  ) throws(TesseraError) -> Secret {
    let context = AssertionRequest(
      clientID: request.clientID, tokenEndpoint: request.authority.configuration.tokenEndpoint,
      tenantID: request.authority.authority.tenant, audience: audience(of: request),
      claims: request.claims, correlationID: request.correlationID)
    do {
      return try function(context)
    } catch let error as TesseraError {
      throw error
    } catch {
      throw CredentialFile.invalid("assertion_callback", "it failed: \(error)")
    }
  }
}

extension ClientAuthenticationMethod {
  /// The method for a client secret at an authority, if the configuration has none.
  fileprivate init(ofSecretAt authority: ResolvedAuthority) {
    guard !authority.authority.isMicrosoft else {
      self = .clientSecretPost
      return
    }
    // RFC 8414 section 2: client_secret_basic is the default.
    let methods = authority.configuration.authenticationMethods ?? []
    let supportsPostOnly =
      methods.contains(ClientAuthenticationMethod.clientSecretPost.rawValue)
      && !methods.contains(ClientAuthenticationMethod.clientSecretBasic.rawValue)
    self = supportsPostOnly ? .clientSecretPost : .clientSecretBasic
  }
}

extension ClientAssertion.Form {
  /// The form of assertions at an authority.
  fileprivate init(at authority: ResolvedAuthority) {
    let algorithms = authority.configuration.assertionAlgorithms
    let supportsPS256 = algorithms?.contains(SignatureAlgorithm.ps256.rawValue) ?? true
    self =
      switch authority.authority.type {
      case .adfs: .sha1Thumbprint
      case .openID where !supportsPS256: .sha1Thumbprint
      default: .sha256Thumbprint
      }
  }
}

extension ServerError {
  /// Whether the server rejected the credential of the application, so that a newer one may be accepted.
  ///
  /// The numbers are those of Entra for a certificate (as in Microsoft.Identity.Web) and for a client secret.
  fileprivate var isOfCredential: Bool {
    let numbers: Set<Int64> = [
      700_024, 700_027, 1_000_502, 7_000_214, 7_000_215, 7_000_222, 7_000_274, 7_000_277,
    ]
    return error == "invalid_client" || !numbers.isDisjoint(with: serverCodes)
  }
}
