// SPDX-License-Identifier: MIT
// The introspection endpoint (RFC 7662), and the revocation of access tokens.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct IntrospectionTests {
  let bench = Bench()
  private let plain = Bench.Endpoints.plain("main")

  /// Sends a token to an issuer as a resource server.
  private func introspect(
    _ token: String?, at issuer: String = "main", authorization: String? = "mail:resource-server",
    _ fields: KeyValuePairs<String, String?> = [:]
  ) -> Bench.Answer {
    let headers = authorization.map {
      [HTTPHeader("Authorization", "Basic \(Base64URL.encodeStandard(Array($0.utf8)))")]
    }
    let first: KeyValuePairs<String, String?> = ["token": token]
    var form = FormFields()
    for field in Array(first) + Array(fields) { form.add(field.key, field.value) }
    var request = HTTPRequest.post("\(Bench.origin)/oidc/\(issuer)/introspect", form)
    request.headers += headers ?? []
    return Bench.Answer(response: bench.provider.handle(request))
  }

  private func isInactive(_ answer: Bench.Answer) -> Bool {
    answer.status == 200 && answer.json == ["active": false]
  }

  @Test func `an active token has the members of RFC 7662`() throws {
    let signIn = try bench.signIn(plain)
    let answer = introspect(signIn["access_token"])
    let claims = try Bench.claims(signIn["access_token"])
    #expect(answer.status == 200)
    #expect(answer.json["active"] == true)
    #expect(answer["scope"] == "openid offline_access files.read")
    #expect(answer["client_id"] == "app")
    #expect(answer["username"] == "alice@contoso.com")
    #expect(answer["token_type"] == "Bearer")
    for name in ["exp", "iat", "nbf", "sub", "aud", "iss", "jti"] {
      #expect(answer.json[name] != nil && answer.json[name] == claims[name], "\(name)")
    }
    #expect(answer["iss"] == bench.provider.issuer("main"))
    #expect(answer.response.headers["Cache-Control"] == "no-store")
    #expect(bench.provider.counts.introspections == 1)
  }

  @Test func `unknown, expired and foreign tokens are not active`() throws {
    let signIn = try bench.signIn(plain)
    let token = try #require(signIn["access_token"])
    for unknown in ["x", token + "x", signIn["refresh_token"], signIn["id_token"]] {
      #expect(isInactive(introspect(unknown)))
    }
    #expect(isInactive(introspect(token, at: "other")))
    let entra = try bench.signIn(.entra("common"))
    #expect(isInactive(introspect(entra["access_token"])))
    bench.clock.advance(seconds: 3599)
    #expect(introspect(token).json["active"] == true)
    bench.clock.advance(seconds: 1)
    #expect(isInactive(introspect(token)))
  }

  @Test func `a revoked access token is not active`() throws {
    let signIn = try bench.signIn(plain)
    let token = signIn["access_token"]
    let foreign = bench.post("/oidc/main/revoke", ["token": token, "client_id": "another"])
    #expect(foreign["error"] == "invalid_grant")
    #expect(introspect(token).json["active"] == true)
    #expect(bench.post("/oidc/main/revoke", ["token": token, "client_id": "app"]).status == 200)
    #expect(isInactive(introspect(token)))
    #expect(bench.refresh(plain, signIn["refresh_token"]).status == 200)
  }

  @Test(arguments: [true, false])
  func `the revocation of a refresh token ends its access tokens`(rotates: Bool) throws {
    try bench.provider.perform(.set([.rotation(rotates)]))
    let signIn = try bench.signIn(plain)
    let other = try bench.signIn(plain)
    let refreshed = bench.refresh(plain, signIn["refresh_token"])
    #expect(introspect(refreshed["access_token"]).json["active"] == true)
    let last = refreshed["refresh_token"] ?? signIn["refresh_token"]
    #expect(bench.post("/oidc/main/revoke", ["token": last, "client_id": "app"]).status == 200)
    #expect(isInactive(introspect(signIn["access_token"])))
    #expect(isInactive(introspect(refreshed["access_token"])))
    #expect(introspect(other["access_token"]).json["active"] == true)
  }

  @Test func `a resource server must authenticate`() throws {
    let token = try bench.signIn(plain)["access_token"]
    for wrong in [nil, "mail:wrong", ":resource-server", "mail", "", "mail:"] {
      let answer = introspect(token, authorization: wrong)
      #expect(answer.status == 401, "\(wrong ?? "none")")
      #expect(answer["error"] == "invalid_client")
      #expect(answer.response.headers["WWW-Authenticate"] == #"Basic realm="tessera""#)
      #expect(answer.json["active"] == nil)
    }
    // RFC 6749 section 2.3.1: both values are encoded.
    #expect(introspect(token, authorization: "a%3Ab:resource%2Dserver").json["active"] == true)
    let posted = introspect(
      token, authorization: nil, ["client_id": "mail", "client_secret": "resource-server"])
    #expect(posted.json["active"] == true)
    // A wrong header is not replaced by the right fields.
    let both = introspect(
      token, authorization: "mail:wrong",
      ["client_id": "mail", "client_secret": "resource-server"])
    #expect(both.status == 401)
    #expect(bench.provider.counts.introspections == 9)
  }

  @Test func `a request must be a form with a token`() {
    #expect(introspect(nil)["error"] == "invalid_request")
    #expect(bench.get("/oidc/main/introspect").status == 405)
    #expect(bench.post("/adfs/introspect", ["token": "x"]).status == 404)
  }

  @Test func `the discovery document names the endpoint`() {
    let answer = bench.get("/oidc/main/.well-known/openid-configuration")
    #expect(answer["introspection_endpoint"] == Bench.origin + "/oidc/main/introspect")
    #expect(
      answer.json["introspection_endpoint_auth_methods_supported"]
        == ["client_secret_basic", "client_secret_post"])
    for path in ["/common/v2.0", "/adfs"] {
      let other = bench.get(path + "/.well-known/openid-configuration")
      #expect(other.status == 200 && other["introspection_endpoint"] == nil)
    }
  }
}

@Suite struct IndexPageTests {
  @Test func `the index page lists the addresses and the users`() {
    let bench = Bench()
    let page = bench.get("/")
    #expect(page.status == 200)
    #expect(page.response.headers["Content-Type"] == "text/html; charset=utf-8")
    for address in [
      bench.provider.entraAuthority(), bench.provider.b2cAuthority("b2c_1_signin"),
      bench.provider.ciamAuthority, bench.provider.adfsAuthority, bench.provider.issuer("main"),
      bench.provider.devicePage, Bench.origin + "/_control/state",
    ] {
      #expect(page.text.contains(">\(address)<"), "\(address)")
    }
    for user in LocalUser.all {
      #expect(page.text.contains("<dt>\(user.name)</dt>\n<dd>\(user.username)</dd>"))
    }
    #expect(bench.post("/", [:]).status == 405)
  }
}
