// SPDX-License-Identifier: MIT
// Confidential clients: their credentials, and the tokens of the application itself.

import Tessera
import TesseraTesting

/// Checks the token of an application at the local provider.
func checkClientTokens() async throws {
  let machine = LocalMachine()
  var client = LocalClient(clientID: "daemon")
  client.secrets = [Secret("a secret of a test")]
  try machine.provider.perform(.register(client))
  var configuration = ApplicationConfiguration(clientID: "daemon")
  configuration.authority = machine.provider.issuer("main")
  configuration.credential = .secret(Secret("a secret of a test"))
  configuration.authenticationMethod = ClientAuthenticationMethod.clientSecretPost
  let application: ConfidentialClientApplication = try machine.confidentialApplication(
    configuration)
  let request = ClientTokenRequest(scopes: ["read"], timeout: .seconds(10))
  let first = try await application.acquireTokenForClient(request)
  expect(first.source, .network)
  let second = try acquire(request, from: application)
  expect(second.source, .cache)
  expect(second.accessToken, first.accessToken)
  expect(try application.accounts(AccountsRequest()).isEmpty)
  expect("\(application)".contains("daemon"))
}

private func acquire(
  _ request: ClientTokenRequest, from application: ConfidentialClientApplication
) throws -> TokenResult {
  try application.acquireTokenForClient(request, cancellation: nil)
}

/// Checks the kinds of credentials.
func checkCredentials() throws {
  expectCases(
    of: ClientAuthenticationMethod.self,
    ["client_secret_post", "client_secret_basic", "private_key_jwt"])
  expectCases(of: AssertionAudience.self, ["token_endpoint", "issuer"])
  let pem = CertificateCredential.PEM.file("/no/certificate.pem")
  let contents = CertificateCredential.Contents.pem(pem, key: .text(Secret("key")))
  var certificate = CertificateCredential(contents, passphrase: Secret("passphrase"))
  certificate.sendsChain = true
  let credentials: [ClientCredential] = [
    .secretFile("/no/secret"), .certificate(certificate), .assertion(Secret("an.assertion.text")),
    .assertionFile("/no/token"),
    .assertionFunction { (request: AssertionRequest) in Secret(request.clientID) },
  ]
  var configuration = ApplicationConfiguration(clientID: "daemon")
  for credential in credentials {
    configuration.credential = credential
    _ = try ConfidentialClientApplication(configuration)
    expectError(.invalidConfiguration) { _ = try PublicClientApplication(configuration) }
  }
  configuration.credential = nil
  expectError(.invalidConfiguration) { _ = try ConfidentialClientApplication(configuration) }
}
