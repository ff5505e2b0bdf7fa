// SPDX-License-Identifier: MIT
// The grants for services: client credentials and on-behalf-of, and limits of token requests.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct ClientCredentialsTests {
  let bench = Bench()
  private static let graph = "https://graph.microsoft.com/.default"

  init() throws {
    var client = LocalClient(clientID: "daemon")
    client.secrets = [Secret("s3cret")]
    client.roles = ["Mail.Read", "User.Read.All"]
    try bench.provider.perform(.register(client))
  }

  private func request(_ path: String, scope: String? = graph) -> Bench.Answer {
    bench.post(
      path,
      [
        "grant_type": "client_credentials", "client_id": "daemon", "client_secret": "s3cret",
        "scope": scope, "client_info": "1",
      ])
  }

  private func entra(_ tenant: String, scope: String? = graph) -> Bench.Answer {
    request("/\(tenant)/oauth2/v2.0/token", scope: scope)
  }

  @Test func `an application token has the claims of Entra`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 1800)]))
    let answer = entra("contoso.onmicrosoft.com")
    #expect(
      Set(answer.json.members.map(\.name)) == [
        "token_type", "expires_in", "ext_expires_in", "refresh_in", "access_token",
      ])
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["aud"] == "https://graph.microsoft.com")
    #expect(claims["tid"] == "11111111-1111-4111-8111-111111111111")
    #expect(claims["iss"]?.string == Bench.origin + Bench.contoso + "/v2.0")
    #expect(claims["azp"] == "daemon")
    #expect(claims["azpacr"] == "1")
    #expect(claims["idtyp"] == "app")
    #expect(claims["roles"] == ["Mail.Read", "User.Read.All"])
    #expect(claims["scp"] == nil)
    #expect(claims["oid"] == claims["sub"])
  }

  @Test func `each tenant has its own service principal`() throws {
    let tenants = [
      "contoso.com", "fabrikam.com", "55555555-5555-4555-8555-000000000001",
      "55555555-5555-4555-8555-00000000abcd",
    ]
    let claims = try tenants.map { try Bench.claims(entra($0)["access_token"]) }
    #expect(Set(claims.map { $0["oid"]?.string }).count == tenants.count)
    #expect(claims[3]["tid"]?.string == tenants[3])
    #expect(entra("55555555-5555-4555-8555-00000000000").json["error_codes"] == [90002])
    #expect(entra("55555555-5555-4555-8555-00000000000x").json["error_codes"] == [90002])
  }

  @Test(arguments: ["common", "organizations", "consumers"])
  func `an address without a tenant is refused`(_ tenant: String) {
    #expect(entra(tenant).json["error_codes"] == [50059])
  }

  @Test(arguments: [
    "https://graph.microsoft.com/User.Read", "openid",
    "https://graph.microsoft.com/.default https://vault.example/.default",
  ])
  func `Entra requires one default scope`(_ scope: String) {
    let answer = entra("contoso.com", scope: scope)
    #expect(answer.status == 400)
    #expect(answer["error"] == "invalid_scope")
    #expect(answer.json["error_codes"] == [1_002_012])
  }

  @Test func `the scopes that MSAL Go adds are ignored`() throws {
    let answer = entra("contoso.com", scope: "openid profile offline_access \(Self.graph)")
    #expect(answer.status == 200)
    #expect(answer["refresh_token"] == nil)
    #expect(answer["id_token"] == nil)
    #expect(entra("contoso.com", scope: nil).json["error_codes"] == [900_144])
  }

  @Test func `a generic issuer grants any scope`() throws {
    let answer = request("/oidc/main/token", scope: "openid offline_access api.read")
    #expect(answer["scope"] == "openid offline_access api.read")
    #expect(answer["refresh_token"] == nil)
    #expect(answer["id_token"] == nil)
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["sub"] == "daemon")
    #expect(claims["tid"] == nil)
    #expect(request("/oidc/main/token", scope: nil).status == 200)
    let form: KeyValuePairs<String, String?> = [
      "token": answer["access_token"], "client_id": "api", "client_secret": "resource-server",
    ]
    let introspection = bench.post("/oidc/main/introspect", form)
    #expect(introspection.json["active"] == true)
    #expect(introspection["client_id"] == "daemon")
    #expect(introspection.json["username"] == nil)
  }

  @Test(arguments: [
    "/adfs/oauth2/token", "/external.onmicrosoft.com/oauth2/v2.0/token",
    "/tfp/customers.onmicrosoft.com/b2c_1_signin/oauth2/v2.0/token",
  ])
  func `other kinds of providers have the grant`(_ path: String) throws {
    let answer = request(path)
    #expect(answer.status == 200)
    #expect(try Bench.claims(answer["access_token"])["aud"] == "https://graph.microsoft.com")
  }

  @Test func `requests are counted by grant, client and tenant`() throws {
    _ = entra("contoso.com")
    _ = entra("contoso.com")
    _ = entra("fabrikam.com")
    _ = request("/oidc/main/token")
    _ = bench.refresh(.entra("contoso.com"), "x", client: "app")
    let counts = bench.provider.counts
    #expect(counts.tokenRequests["client_credentials"] == 4)
    #expect(counts.tokenRequests(clientID: "daemon") == 4)
    let contoso = "11111111-1111-4111-8111-111111111111"
    #expect(counts.tokenRequests(tenant: contoso) == 3)
    #expect(counts.tokenRequests(clientID: "daemon", tenant: contoso) == 2)
    #expect(counts.tokenRequests(grantType: "refresh_token", tenant: contoso) == 1)
    #expect(counts.tokenRequests(tenant: "oidc/main") == 1)
    #expect(counts.tokenRequests() == 5)
    let rows = bench.get("/_control/state").json["counts"]?.object?["token_requests_by_source"]
    let row: JSONValue = [
      "grant_type": "client_credentials", "client_id": "daemon", "tenant": .string(contoso),
      "requests": 2,
    ]
    #expect(rows?.array?.contains(row) == true)
  }

  @Test func `a limit rejects requests until the end of the period`() {
    _ = bench.command(
      "limit_token_requests", #"{"grant_type":"client_credentials","requests":2,"seconds":30}"#)
    #expect((0..<2).map { _ in entra("contoso.com").status } == [200, 200])
    bench.clock.advance(seconds: 10)
    let rejected = entra("contoso.com")
    #expect(rejected.status == 429)
    #expect(rejected.response.retryAfterSeconds == 20)
    // Other tenants and grants are not affected.
    #expect(entra("fabrikam.com").status == 200)
    #expect(bench.refresh(.entra("contoso.com"), "x").status == 400)
    #expect(bench.provider.counts.earlyRetries == 0)
    bench.clock.advance(seconds: 19)
    #expect(entra("contoso.com").status == 429)
    #expect(bench.provider.counts.earlyRetries == 1)
    bench.clock.advance(seconds: 1)
    #expect((0..<3).map { _ in entra("contoso.com").status } == [200, 200, 429])
    #expect(bench.provider.counts.earlyRetries == 1)
    _ = bench.command("recover", "{}")
    #expect(entra("contoso.com").status == 200)
  }
}

@Suite struct OnBehalfOfTests {
  let bench = Bench()
  private static let contoso = Bench.Endpoints.entra("contoso.com")
  private static let graph = "https://graph.microsoft.com/User.Read"

  init() throws {
    for clientID in ["api", "other-api", "daemon"] {
      var client = LocalClient(clientID: clientID)
      client.secrets = [Secret("s3cret")]
      try bench.provider.perform(.register(client))
    }
  }

  /// Returns the access token of a caller for the service `api`.
  private func callerToken(
    _ user: LocalUser = .alice, scope: String = "api://api/read", claims: String? = nil
  ) throws -> String {
    let signIn = try bench.signIn(Self.contoso, as: user)
    let answer = bench.post(
      Self.contoso.token,
      [
        "client_id": "app", "grant_type": "refresh_token",
        "refresh_token": signIn["refresh_token"], "scope": scope, "claims": claims,
      ])
    return try #require(answer["access_token"])
  }

  private func exchange(
    _ assertion: String?, client: String = "api", secret: String? = "s3cret",
    scope: String? = graph, use: String? = "on_behalf_of", path: String = contoso.token
  ) -> Bench.Answer {
    bench.post(
      path,
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": client,
        "client_secret": secret, "assertion": assertion, "requested_token_use": use,
        "scope": scope, "client_info": "1",
      ])
  }

  @Test(arguments: ["api://api/read", "api/read"])
  func `the tokens are for the same user`(scope: String) throws {
    let answer = exchange(try callerToken(scope: scope))
    #expect(answer.status == 200)
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["aud"] == "https://graph.microsoft.com")
    #expect(claims["scp"] == "User.Read")
    #expect(claims["azp"] == "api")
    #expect(claims["oid"]?.string == LocalUser.alice.objectID)
    #expect(answer["refresh_token"] == nil)
    let clientInfo = try ClientInfo(answer["client_info"] ?? "")
    #expect(clientInfo.homeAccountID == LocalUser.alice.homeAccountID)
  }

  @Test func `offline_access returns a refresh token of the service`() throws {
    let answer = exchange(
      try callerToken(), scope: "openid profile offline_access \(Self.graph)")
    #expect(try Bench.claims(answer["id_token"])["aud"] == "api")
    let token = try #require(answer["refresh_token"])
    #expect(bench.refresh(Self.contoso, token, client: "api").status == 401)
    let refreshed = bench.post(
      Self.contoso.token,
      [
        "grant_type": "refresh_token", "client_id": "api", "client_secret": "s3cret",
        "refresh_token": token,
      ])
    #expect(refreshed.status == 200)
  }

  @Test func `an assertion for another service is refused`() throws {
    let assertion = try callerToken()
    let answer = exchange(assertion, client: "other-api")
    #expect(answer["error"] == "invalid_grant")
    #expect(answer.json["error_codes"] == [500_131])
    #expect(exchange(assertion, client: "app", secret: nil)["error"] == "unauthorized_client")
  }

  @Test func `an expired, forged or malformed assertion is refused`() throws {
    let assertion = try callerToken()
    var claims = try Bench.claims(assertion)
    claims["oid"] = .string(LocalUser.bob.objectID)
    var parts = assertion.split(separator: ".").map(String.init)
    parts[1] = Base64URL.encode(JSONValue.object(claims).bytes)
    #expect(exchange(parts.joined(separator: ".")).json["error_codes"] == [50013])
    #expect(exchange("no.jwt").json["error_codes"] == [50027])
    bench.clock.advance(seconds: 3600)
    #expect(exchange(assertion).json["error_codes"] == [500_133])
  }

  @Test func `a request must name its use, scope and assertion`() throws {
    let assertion = try callerToken()
    #expect(exchange(assertion, use: nil)["error"] == "invalid_request")
    #expect(exchange(assertion, use: "other")["error"] == "invalid_request")
    #expect(exchange(assertion, scope: nil)["error"] == "invalid_request")
    #expect(exchange(nil)["error"] == "invalid_request")
    #expect(exchange(assertion, path: "/oidc/main/token")["error"] == "unsupported_grant_type")
  }

  @Test func `a token of another tenant is refused`() throws {
    let assertion = try callerToken()
    let other = exchange(assertion, path: "/fabrikam.com/oauth2/v2.0/token")
    #expect(other["error"] == "invalid_grant")
    #expect(exchange(assertion, path: "/common/oauth2/v2.0/token").status == 200)
    let guest = try callerToken(.carol)
    let claims = try Bench.claims(exchange(guest)["access_token"])
    #expect(try claims["oid"] == Bench.claims(guest)["oid"])
    #expect(claims["oid"]?.string != LocalUser.carol.objectID)
  }

  @Test func `a required authentication context is a claims challenge`() throws {
    _ = bench.command(
      "set", #"{"authentication_contexts":{"https://graph.microsoft.com":"c1"}}"#)
    let answer = exchange(try callerToken())
    #expect(answer.status == 400)
    #expect(answer["error"] == "interaction_required")
    #expect(answer.json["error_codes"] == [50076])
    let claims = try #require(answer["claims"])
    #expect(claims == #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#)
    #expect(exchange(try callerToken(claims: claims)).status == 200)
    #expect(
      exchange(try callerToken(), scope: "https://vault.example/.default").status == 200)
  }

  @Test func `a service principal as the caller has no client_info`() throws {
    let token = bench.post(
      Self.contoso.token,
      [
        "grant_type": "client_credentials", "client_id": "daemon", "client_secret": "s3cret",
        "scope": "api://api/.default",
      ])["access_token"]
    let answer = exchange(token, scope: "openid offline_access \(Self.graph)")
    #expect(answer.status == 200)
    for name in ["client_info", "refresh_token", "id_token"] { #expect(answer[name] == nil) }
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["azp"] == "api")
    #expect(claims["idtyp"] == "app")
    #expect(try claims["oid"] == Bench.claims(token)["oid"])
    #expect(
      exchange(token, path: "/fabrikam.com/oauth2/v2.0/token")["error"] == "invalid_grant")
  }

  @Test func `ADFS has the grant`() throws {
    let adfs = Bench.Endpoints(
      device: "/adfs/oauth2/devicecode", token: "/adfs/oauth2/token",
      scope: "openid api/read")
    let token = try bench.signIn(adfs)["access_token"]
    let answer = exchange(token, scope: "https://vault.example/read", path: adfs.token)
    #expect(answer.status == 200)
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["sub"]?.string == LocalUser.alice.objectID)
    #expect(claims["aud"] == "https://vault.example")
  }
}
