// SPDX-License-Identifier: MIT
// The responses of B2C, external tenants and ADFS that differ from Entra and OpenID Connect.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct ProviderKindTests {
  let bench = Bench()
  private static let policy = "/tfp/customers.onmicrosoft.com/b2c_1_signin"
  private static let adfs = Bench.Endpoints(
    device: "/adfs/oauth2/devicecode", token: "/adfs/oauth2/token",
    scope: "openid offline_access https://api.example/read")

  private func endpoints(_ base: String) -> Bench.Endpoints {
    Bench.Endpoints(
      device: base + "/oauth2/v2.0/devicecode", token: base + "/oauth2/v2.0/token",
      scope: Bench.entraScope)
  }

  @Test(arguments: [
    (policy, "/tfp/33333333-3333-4333-8333-333333333333/b2c_1_signin/v2.0/"),
    ("/customers.onmicrosoft.com/B2C_1_Signin", "/33333333-3333-4333-8333-333333333333/v2.0/"),
    ("/external.onmicrosoft.com", "/44444444-4444-4444-8444-444444444444/v2.0"),
  ])
  func `the issuer contains the tenant ID`(_ path: String, _ issuer: String) throws {
    let answer = bench.get(path + "/v2.0/.well-known/openid-configuration")
    let document = try OpenIDConfiguration(answer.json)
    #expect(document.issuer == Bench.origin + issuer)
    #expect(document.tokenEndpoint.hasSuffix("/oauth2/v2.0/token"))
  }

  @Test func `a B2C account includes the policy, and has no user name and tenant`() throws {
    let answer = try bench.signIn(endpoints(Self.policy))
    let claims = try Bench.claims(answer["id_token"])
    #expect(claims["emails"] == ["alice@contoso.com"])
    #expect(claims["preferred_username"] == nil)
    #expect(claims["tid"] == nil)
    #expect(claims["tfp"] == "b2c_1_signin")
    let client = try ClientInfo(answer["client_info"] ?? "")
    #expect(client.uid.hasSuffix("-b2c_1_signin"))
    #expect(client.utid == "33333333-3333-4333-8333-333333333333")
  }

  @Test func `a refresh token is valid only for its policy`() throws {
    let token = try bench.signIn(endpoints(Self.policy))["refresh_token"]
    let other = bench.refresh(endpoints("/tfp/customers.onmicrosoft.com/b2c_1_edit"), token)
    #expect(other["error"] == "invalid_grant")
    #expect(
      bench.refresh(endpoints("/customers.onmicrosoft.com/b2c_1_signin"), token).status == 200)
  }

  @Test func `accounts of an external tenant have it as home tenant`() throws {
    let answer = try bench.signIn(endpoints("/external.onmicrosoft.com"))
    let claims = try Bench.claims(answer["id_token"])
    let client = try ClientInfo(answer["client_info"] ?? "")
    #expect(claims["tid"]?.string == client.utid)
    #expect(claims["oid"]?.string == client.uid)
    #expect(client.uid != LocalUser.alice.objectID)
  }

  @Test func `ADFS has its own discovery document and scopes`() throws {
    let document = bench.get("/adfs/.well-known/openid-configuration")
    #expect(document["issuer"] == Bench.origin + "/adfs")
    #expect(document["device_authorization_endpoint"] == Bench.origin + "/adfs/oauth2/devicecode")
    let answer = try bench.signIn(Self.adfs)
    #expect(answer["client_info"] == nil)
    #expect(answer["token_type"] == "bearer")
    #expect(answer["scope"] == "openid user_impersonation")
    let claims = try Bench.claims(answer["id_token"])
    #expect(claims["upn"]?.string == LocalUser.alice.username)
    #expect(claims["tid"] == nil)
  }

  @Test(arguments: [
    "/tfp", "/tfp/contoso.onmicrosoft.com/b2c_1_x/v2.0/.well-known/openid-configuration",
    "/customers.onmicrosoft.com/v2.0/.well-known/openid-configuration", "/adfs/oauth2/logout",
  ])
  func `an unsupported path of a provider returns 404`(_ path: String) {
    #expect(bench.get(path).status == 404)
  }
}
