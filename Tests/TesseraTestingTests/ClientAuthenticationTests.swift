// SPDX-License-Identifier: MIT
// The authentication of confidential clients: secrets, assertions of other issuers, and the metadata.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct ClientAuthenticationTests {
  let bench = Bench()
  private static let plain = "/oidc/main/token"
  private static let entra = Bench.contoso + "/oauth2/v2.0/token"
  private static let secret = "a secret: with %, + and ünusual letters"

  init() throws {
    var client = LocalClient(clientID: "a daemon:1")
    client.secrets = [Secret(Self.secret), Secret("another secret")]
    client.assertions = [Secret("eyJ.federated.assertion")]
    try bench.provider.perform(.register(client))
  }

  private func request(
    _ fields: KeyValuePairs<String, String?> = [:], at path: String = plain,
    client: String? = "a daemon:1", basic: String? = nil
  ) -> Bench.Answer {
    let usual: KeyValuePairs<String, String?> = [
      "grant_type": "client_credentials", "client_id": client,
      "scope": "https://graph.microsoft.com/.default",
    ]
    var form = FormFields()
    for field in Array(usual) + Array(fields) { form.add(field.key, field.value) }
    var request = HTTPRequest.post(Bench.origin + path, form)
    if let basic { request.headers.append(HTTPHeader("Authorization", basic)) }
    return Bench.Answer(response: bench.provider.handle(request))
  }

  private func basic(_ client: String = "a daemon:1", _ secret: String = secret) -> String {
    let pair = [client, secret].map(FormFields.escape).joined(separator: ":")
    return "Basic \(Base64URL.encodeStandard(Array(pair.utf8)))"
  }

  @Test(arguments: [plain, entra, "/adfs/oauth2/token"])
  func `a secret is accepted in the body and in the header`(path: String) {
    #expect(request(["client_secret": Self.secret], at: path).status == 200)
    #expect(request(["client_secret": "another secret"], at: path).status == 200)
    #expect(request(at: path, basic: basic()).status == 200)
    #expect(request(at: path, client: nil, basic: basic()).status == 200)
  }

  @Test func `a wrong secret has the error of Entra`() {
    let answer = request(["client_secret": "wrong"], at: Self.entra)
    #expect(answer.status == 401)
    #expect(answer["error"] == "invalid_client")
    #expect(answer.json["error_codes"] == [7_000_215])
    #expect(
      answer["error_description"]?.hasPrefix("AADSTS7000215: Invalid client secret provided.")
        == true)
    #expect(answer.text.contains("wrong") == false)
  }

  @Test(arguments: [
    nil, "Basic", "Basic !", "Basic \(Base64URL.encodeStandard(Array("no colon".utf8)))",
    "Basic \(Base64URL.encodeStandard(Array(":secret".utf8)))",
  ])
  func `a request without valid credentials is refused with a challenge`(header: String?) {
    let answer = request(basic: header)
    #expect(answer.status == 401)
    #expect(answer["error"] == "invalid_client")
    #expect(answer.response.headers["WWW-Authenticate"] == #"Basic realm="tessera""#)
    #expect(request(at: Self.entra, basic: header).status == 401)
  }

  @Test func `Entra names the missing parameters`() {
    let answer = request(at: Self.entra)
    #expect(answer.json["error_codes"] == [7_000_218])
    #expect(request(at: Self.entra, client: nil).json["error_codes"] == [900_144])
  }

  @Test func `every grant requires the credential`() throws {
    let client = "a daemon:1"
    let device = bench.authorizeDevice(.plain("main"), client: client)
    let code = try #require(device["user_code"])
    try bench.provider.perform(.approve(userCode: code, username: "alice@contoso.com"))
    #expect(bench.poll(.plain("main"), device["device_code"], client: client).status == 401)
    let grant = "urn:ietf:params:oauth:grant-type:device_code"
    let fields: KeyValuePairs<String, String?> = [
      "client_id": client, "grant_type": grant, "device_code": device["device_code"],
      "client_secret": Self.secret,
    ]
    let tokens = bench.post(Self.plain, fields)
    #expect(tokens.status == 200)
    let refreshToken = tokens["refresh_token"]
    #expect(bench.refresh(.plain("main"), refreshToken, client: client).status == 401)
    let revocation: KeyValuePairs<String, String?> = ["token": refreshToken, "client_id": client]
    #expect(bench.post("/oidc/main/revoke", revocation)["error"] == "invalid_client")
    let authorization = [HTTPHeader("Authorization", basic())]
    #expect(bench.post("/oidc/main/revoke", revocation, headers: authorization).status == 200)
  }

  @Test func `two credentials and two client IDs are refused`() {
    let both = request(["client_secret": Self.secret], basic: basic())
    #expect(both.status == 400)
    #expect(both["error"] == "invalid_request")
    #expect(request(client: "another", basic: basic())["error"] == "invalid_request")
  }

  @Test func `a public client must not send a credential`() {
    let answer = request(["client_secret": Self.secret], at: Self.entra, client: "app")
    #expect(answer.status == 401)
    #expect(answer.json["error_codes"] == [700_025])
    let unknown = request(at: Self.entra, client: "app")
    #expect(unknown["error"] == "unauthorized_client")
    #expect(unknown.json["error_codes"] == [700_016])
  }

  @Test func `an assertion of another issuer is compared as text`() {
    let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    let fields: KeyValuePairs<String, String?> = [
      "client_assertion_type": type, "client_assertion": "eyJ.federated.assertion",
    ]
    #expect(request(fields, at: Self.entra).status == 200)
    #expect(request(fields, at: Self.entra).status == 200)
    let other: KeyValuePairs<String, String?> = [
      "client_assertion_type": type, "client_assertion": "eyJ.another.assertion",
    ]
    #expect(request(other, at: Self.entra).json["error_codes"] == [50027])
    let untyped = request(["client_assertion": "eyJ.federated.assertion"], at: Self.entra)
    #expect(untyped["error"] == "invalid_request")
  }

  @Test func `the metadata name the methods and the algorithms`() throws {
    let all = ["client_secret_post", "client_secret_basic", "private_key_jwt"]
    for (path, methods, algorithms) in [
      (Bench.contoso + "/v2.0", all, ["RS256", "PS256"]), ("/adfs", all, ["RS256"]),
      ("/oidc/main", ["none"] + all, ["RS256", "PS256", "ES256"]),
    ] {
      let json = bench.get(path + "/.well-known/openid-configuration").json
      #expect(json["token_endpoint_auth_methods_supported"] == .strings(methods))
      #expect(json["token_endpoint_auth_signing_alg_values_supported"] == .strings(algorithms))
    }
  }

  @Test func `a method that the metadata does not name is refused`() {
    _ = bench.command("set", #"{"client_authentication_methods":["client_secret_basic"]}"#)
    let json = bench.get("/oidc/main/.well-known/openid-configuration").json
    #expect(json["token_endpoint_auth_methods_supported"] == ["client_secret_basic"])
    #expect(request(["client_secret": Self.secret])["error"] == "invalid_client")
    #expect(request(basic: basic()).status == 200)
    _ = bench.command("set", #"{"client_authentication_methods":null}"#)
    #expect(request(["client_secret": Self.secret]).status == 200)
  }

  @Test func `the log and the state contain no credential`() {
    _ = request(["client_secret": Self.secret])
    _ = request(basic: basic())
    let state = bench.get("/_control/state").text
    #expect(state.contains("a daemon:1"))
    for text in ["a secret:", "ünusual", "federated", basic()] { #expect(!state.contains(text)) }
  }

  @Test(arguments: [
    (#"{}"#, "invalid_member"), (#"{"client_id":" "}"#, "invalid_member"),
    (#"{"client_id":"a","secret":"b"}"#, "unknown_member"),
    (#"{"client_id":"a","secrets":"b"}"#, "invalid_member"),
    (#"{"client_id":"a","certificates":["no certificate"]}"#, "invalid_member"),
    (#"{"client_id":"a","certificates":["-----BEGIN CERTIFICATE-----\nAAAA"]}"#, "invalid_member"),
  ])
  func `an invalid registration is refused`(json: String, error: String) {
    let answer = bench.command("register", json)
    #expect(answer.status == 400)
    #expect(answer["error"] == error)
  }

  @Test func `a file of clients has the members of the command`() throws {
    let json = #"[{"client_id":"web","secrets":["s"],"roles":["Mail.Read"]},{"client_id":"job"}]"#
    let clients = try LocalClient.parse(json: Array(json.utf8))
    #expect(clients.map(\.clientID) == ["web", "job"])
    #expect(clients[0].secrets == [Secret("s")])
    #expect(clients[0].roles == ["Mail.Read"])
    for invalid in ["{}", "[1]", #"[{"client_id":"a","x":1}]"#, ""] {
      #expect(throws: ProviderCommandError.self) {
        try LocalClient.parse(json: Array(invalid.utf8))
      }
    }
  }
}
