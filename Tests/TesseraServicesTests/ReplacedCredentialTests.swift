// SPDX-License-Identifier: MIT
// Tests of credentials in files that are replaced while the application runs.

import TesseraEngine
import TesseraServices
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ReplacedCredentialTests {
  private static let tenant = "11111111-1111-4111-8111-111111111111"
  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.path + "/credential" }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  private func application(_ credential: ClientCredential) throws -> PublicClientApplication {
    try bench.application(client: "daemon", tenant: Self.tenant) { $0.credential = credential }
  }

  private func register(_ change: (inout LocalClient) -> Void) throws {
    var client = LocalClient(clientID: "daemon")
    change(&client)
    try bench.provider.perform(.register(client))
  }

  /// Requests a token that is not cached.
  private func token(_ application: PublicClientApplication) throws {
    let request = ClientTokenRequest(scopes: ["api://resource/.default"], forcesRefresh: true)
    #expect(try ClientTokens(of: application).token(request, nil).source == .network)
  }

  @Test func `a replaced secret is used for the next request`() throws {
    let application = try application(.secretFile(path))
    try register { $0.secrets = [Secret("the first secret")] }
    try write("the first secret\n")
    try token(application)
    try register { $0.secrets = [Secret("the second secret")] }
    expect(.clientRejected) { try token(application) }
    try write("the second secret")
    try token(application)
  }

  @Test func `a file that is missing or empty is an error of the configuration`() throws {
    let application = try application(.secretFile(path))
    expect(.invalidConfiguration) { try token(application) }
    try write("\n")
    expect(.invalidConfiguration) { try token(application) }
    #expect(bench.provider.counts.tokenRequests.isEmpty)
  }

  @Test func `a replaced certificate is used for the next request, and the old one meanwhile`()
    throws
  {
    let pem = TestVector.all(in: "services", areas: "certificate")
      .first { $0.expected["error"] == nil }?.input["pem"]?.string
    let first = try #require(pem)
    let second =
      try PEMBlock.blocks(of: first).filter { $0.label != "CERTIFICATE" }
      .map(\.text).joined() + Self.renewed
    let application = try application(.certificate(CertificateCredential(.pem(.file(path)))))
    try write(first)
    try register { $0.certificates = [Self.certificate(in: first)] }
    try token(application)
    try write("-----BEGIN CERTIFICATE-----\n")
    try token(application)
    try register { $0.certificates = [Self.certificate(in: second)] }
    expect(.clientRejected) { try token(application) }
    try write(second)
    try token(application)
  }

  /// Another certificate for the key of the vectors.
  private static let renewed = """
    -----BEGIN CERTIFICATE-----
    MIICrzCCAZegAwIBAgIBAzANBgkqhkiG9w0BAQsFADAaMRgwFgYDVQQDDA9UZXNz
    ZXJhIHRlc3QgQ0EwIBcNMjYwMTAxMDAwMDAwWhgPMjA5OTAxMDEwMDAwMDBaMBox
    GDAWBgNVBAMMD3NlcnZpY2UuZXhhbXBsZTCCASIwDQYJKoZIhvcNAQEBBQADggEP
    ADCCAQoCggEBAMi7fHwdM00Ynxcf0WCDubzPq0ZeBctmqSMGm6xihmOxrnPUwZSE
    QUuv/fTRPTjebAO63LxdVlJ9FZ5s/5KdWliKWc94Rwq1d+0OA6Jrzv5kIM5DK0YN
    K+s9JjxPwNtgq/7T4gHrk3uzRBOMggb9+mxBr07MTYZkN3JQrIvCQ2hsWI9CWe4g
    TifwSysrXI8MbF4EPbLscFNI5xz/wATDyy1GVi6M+vFeafbtS9RYpfxhn9F8S76f
    1Ewmb/74nRfSv6WDKHPOGxtVCewZ27ordkNxw0zX9dFYBwSsHTB+4yxng2t0eQdI
    e8v6/DhTD/R/mzrQRRJayT8T4JoQP6SIt+ECAwEAATANBgkqhkiG9w0BAQsFAAOC
    AQEADGs+X+Ff4W3KZrkWSqum120iHwIAqbkWPoQn8m2sg192+lsbMrcj39nI4OJq
    5GAWgYd+oV6BoukDZ00W6sqY0/+iJ0jXLgZumQ6xcAzgZO+reJRRLqmYwDwF86Ro
    A1RJfW8n3OuXY/YZdEdQSKZocF/aFoZzQkuu5hlac7m6l0Xx1ecpd1RP1QYAHhUH
    pRqW4QrwKINrplstecVl1kA+8sz0S0DyMBP3SFu/hiHuP4QjiVlYPUZDgykKSr51
    9sf9yspe6Aq4VaqhkI6yjINRgpl+h3jj9rILzYXvQvenUkmc9l7JJHkKdT6qwfoK
    4nH4NrIL5YyyTBX/TgoZNyHlrg==
    -----END CERTIFICATE-----
    """

  /// Returns the certificates of a text that also contains the key.
  private static func certificate(in text: String) -> String {
    ((try? PEMBlock.blocks(of: text)) ?? []).filter { $0.label == "CERTIFICATE" }.map(\.text)
      .joined()
  }

  @Test func `a credential that is replaced during a request is sent in the same call`() throws {
    try register { $0.secrets = [Secret("the second secret")] }
    try write("the first secret")
    let path = path
    let transport = EditedTransport(network: bench.transport) { request, response in
      if response.status == 401 {
        try? Data("the second secret".utf8).write(to: URL(filePath: path), options: .atomic)
      }
      return response
    }
    let application = try bench.application(
      client: "daemon", tenant: Self.tenant, transport: transport
    ) { $0.credential = .secretFile(path) }
    try token(application)
    #expect(bench.provider.counts.tokenRequests["client_credentials"] == 2)
  }

  @Test func `an assertion is read from its file, or returned by a function with its context`()
    throws
  {
    try register { $0.assertions = [Secret("an.assertion.text")] }
    try write("an.assertion.text\n")
    try token(try application(.assertionFile(path)))
    let tenant = Self.tenant
    try token(
      try application(
        .assertionFunction { request in
          #expect(request.clientID == "daemon" && request.tenantID == tenant)
          #expect(request.audience == request.tokenEndpoint && !request.correlationID.isEmpty)
          return Secret("an.assertion.text")
        }))
  }
}
