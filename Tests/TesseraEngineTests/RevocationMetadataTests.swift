// SPDX-License-Identifier: MIT
// Revocation endpoints that are only in the authorization server metadata (RFC 8414).

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RevocationMetadataTests {
  private let bench = TestBench()

  /// The metadata URL according to the path insertion rule of RFC 8414 section 3.1.
  private var metadataURL: String {
    bench.provider.origin + "/.well-known/oauth-authorization-server/oidc/main"
  }

  /// Returns a transport for a provider without a revocation endpoint in its OpenID document.
  private func transport(
    _ metadata: @escaping @Sendable (JSONObject) -> HTTPResponse?
  ) -> EditedTransport {
    let (provider, url) = (bench.provider, metadataURL)
    return EditedTransport(network: bench.transport) { request, response in
      if request.url == url {
        let document = provider.handle(
          .get("\(provider.issuer("main"))/.well-known/openid-configuration"))
        return metadata(document.json ?? JSONObject()) ?? response
      }
      return response.without("revocation_endpoint")
    }
  }

  private func signOut(
    revoking: Bool = true, _ metadata: @escaping @Sendable (JSONObject) -> HTTPResponse?
  ) throws -> SignOutReport {
    let application = try bench.application(issuer: "main", transport: transport(metadata))
    var request = SignOutRequest(account: try bench.signIn(application).account)
    request.revokesTokens = revoking
    request.wantsEndSessionURL = true
    return try application.signOut(request)
  }

  private var metadataRequests: Int {
    bench.transport.requests.count { $0.url.contains("oauth-authorization-server") }
  }

  @Test func `a token is revoked at the endpoint of the RFC 8414 metadata`() throws {
    let report = try signOut { .json(.object($0)) }
    #expect(report.revocations.map(\.error?.code) == [nil])
    #expect(bench.provider.counts.revocations == 1)
    #expect(metadataRequests == 1)
  }

  @Test func `the metadata is not requested unless a token must be revoked`() throws {
    _ = try signOut(revoking: false) { .json(.object($0)) }
    #expect(metadataRequests == 0)
  }

  @Test func `the metadata is not requested if the OpenID document has the endpoint`() throws {
    let application = try bench.application(issuer: "main")
    var request = SignOutRequest(account: try bench.signIn(application).account)
    request.revokesTokens = true
    #expect(try application.signOut(request).revocations.map(\.error?.code) == [nil])
    #expect(metadataRequests == 0)
  }

  @Test func `without RFC 8414 metadata the provider does not revoke tokens`() throws {
    let report = try signOut { _ in nil }
    #expect(report.revocations.map(\.error?.code) == [.flowUnsupported])
    #expect(metadataRequests == 1)
  }

  @Test func `missing metadata is requested once for all tokens of a sign-out`() throws {
    let network = transport { _ in nil }
    for client in ["client", "other"] {
      try bench.signIn(bench.application(client: client, issuer: "main", transport: network))
    }
    var request = SignOutRequest(scope: .machine)
    request.revokesTokens = true
    let report = try bench.application(issuer: "main", transport: network).signOut(request)
    #expect(report.revocations.map(\.error?.code) == [.flowUnsupported, .flowUnsupported])
    #expect(metadataRequests == 1)
  }

  @Test func `metadata of another issuer is rejected`() throws {
    let report = try signOut { json in
      var json = json
      json["issuer"] = "https://other.example"
      return .json(.object(json))
    }
    #expect(report.revocations.map(\.error?.code) == [.issuerMismatch])
    #expect(bench.provider.counts.revocations == 0)
  }

  @Test func `a revocation endpoint without https is rejected`() throws {
    let report = try signOut { json in
      var json = json
      json["revocation_endpoint"] = "http://other.example/revoke"
      return .json(.object(json))
    }
    #expect(report.revocations.first?.error != nil)
    #expect(bench.provider.counts.revocations == 0)
    #expect(!bench.transport.requests.contains { $0.url.contains("other.example") })
  }
}
