// SPDX-License-Identifier: MIT
// Discovery documents of Entra and of OpenID Connect issuers.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct DiscoveryTests {
  let bench = Bench()

  private func instance(of authority: String, version: String = "1.1") -> Bench.Answer {
    let asked = FormFields.escape(authority + "/oauth2/v2.0/authorize")
    return bench.get(
      "/common/discovery/instance?api-version=\(version)&authorization_endpoint=\(asked)")
  }

  @Test func `instance discovery returns the provider's host as its own cloud`() throws {
    let answer = instance(of: Bench.origin + "/common")
    let discovery = try InstanceDiscovery(answer.json)
    let cloud = CloudInstance(
      preferredNetwork: "127.0.0.1:8400", preferredCache: "127.0.0.1:8400",
      aliases: ["127.0.0.1:8400"])
    #expect(discovery.clouds == [cloud])
    #expect(
      answer["tenant_discovery_endpoint"]
        == Bench.origin + "/common/v2.0/.well-known/openid-configuration")
  }

  @Test(arguments: ["/oidc/main/.well-known/openid-configuration", "/nowhere", "/device"])
  func `every response has the provider's time in the Date header`(_ path: String) {
    // Each day of more than four years, to include a leap day.
    for _ in 0..<1500 {
      bench.clock.advance(seconds: 86_399)
      let response = bench.get(path).response
      #expect(response.headers["Date"]?.hasSuffix(" GMT") == true)
      #expect(response.date == bench.clock.now)
    }
  }

  @Test func `another host is rejected as invalid_instance`() {
    let answer = instance(of: "https://login.example.com/common")
    #expect(answer.status == 400)
    #expect(answer["error"] == "invalid_instance")
    #expect(answer.json["error_codes"] == [50049])
  }

  @Test func `version 1_0 has no metadata`() {
    #expect(instance(of: Bench.origin + "/common", version: "1.0").json["metadata"] == nil)
  }

  @Test(arguments: [
    ("contoso.onmicrosoft.com", "11111111-1111-4111-8111-111111111111"),
    ("11111111-1111-4111-8111-111111111111", "11111111-1111-4111-8111-111111111111"),
    ("Fabrikam.com", "22222222-2222-4222-8222-222222222222"),
    ("common", "{tenantid}"), ("organizations", "{tenantid}"),
    ("consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"),
  ])
  func `an Entra document has the issuer of its tenant`(tenant: String, issuer: String) throws {
    let answer = bench.get("/\(tenant)/v2.0/.well-known/openid-configuration")
    let document = try OpenIDConfiguration(answer.json)
    #expect(document.issuer == "\(Bench.origin)/\(issuer)/v2.0")
    #expect(document.tokenEndpoint.hasSuffix("/oauth2/v2.0/token"))
    #expect(document.deviceAuthorizationEndpoint?.hasSuffix("/oauth2/v2.0/devicecode") == true)
  }

  @Test func `an unknown tenant is rejected`() {
    let answer = bench.get("/nowhere.example/v2.0/.well-known/openid-configuration")
    #expect(answer.status == 400)
    #expect(answer["error"] == "invalid_tenant")
    #expect(answer["error_description"]?.hasPrefix("AADSTS90002: ") == true)
  }

  @Test func `an OpenID Connect document has its own issuer`() throws {
    let answer = bench.get("/oidc/main/.well-known/openid-configuration")
    let document = try OpenIDConfiguration(answer.json)
    #expect(document.issuer == bench.provider.issuer("main"))
    #expect(document.tokenEndpoint == Bench.origin + "/oidc/main/token")
    #expect(answer["jwks_uri"] == Bench.origin + "/oidc/main/keys")
  }
}
