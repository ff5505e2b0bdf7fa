// SPDX-License-Identifier: MIT
// The descriptions of public values, which contain no secret.

import TesseraTesting
import TesseraWire
import Testing

@testable import TesseraEngine

@Suite struct DescriptionTests {
  private let alice = Account(
    homeAccountID: "uid.utid", environment: "login.microsoftonline.com",
    username: "alice@contoso.com",
    tenantProfiles: [
      TenantProfile(
        tenantID: "utid", localAccountID: "uid", claims: TokenClaims(["sub": "secret subject"]))
    ])

  private var token: TokenResult {
    TokenResult(
      accessToken: Secret("secret access token"), tokenType: "Bearer",
      expiresOn: Instant(secondsSince1970: 1_798_761_600), extendedExpiresOn: nil, refreshOn: nil,
      scopes: ["User.Read", "Mail.Read"], idToken: Secret("secret ID token"), account: alice,
      tenantID: "utid", authority: "https://login.microsoftonline.com/common", source: .cache)
  }

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test func `a token is described without its secrets`() {
    let text =
      "TokenResult(alice@contoso.com, scopes: User.Read Mail.Read, "
      + "expires: 2027-01-01T00:00:00Z, source: cache)"
    #expect("\(token)" == text)
    #expect(String(reflecting: token) == text)
    #expect("\([token])" == "[\(text)]")
    #expect(!dumped(token).contains("secret"))
    #expect(dumped(token).contains("alice@contoso.com"))
  }

  @Test func `an account is described by its user name`() {
    #expect("\(alice)" == "Account(alice@contoso.com, login.microsoftonline.com)")
    #expect("\([alice])" == "[Account(alice@contoso.com, login.microsoftonline.com)]")
    #expect("\(alice.tenantProfiles[0])" == "TenantProfile(utid, uid)")
    #expect(dumped(alice).contains("uid.utid") && !dumped(alice).contains("secret"))
  }

  @Test func `an account without a user name is described by its identifier`() {
    let nameless = Account(homeAccountID: "subject", environment: "id.example")
    #expect("\(nameless)" == "Account(subject, id.example)")
    #expect(!nameless.isEntra && alice.isEntra)
  }

  @Test func `a configuration is described without credentials`() {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.proxy = "http://user:secret@proxy.example:8080"
    configuration.extraTokenParameters = ["assertion": "secret"]
    configuration.store = .sqlite(key: StoreKey(Array("secret key with the 32 bytes of it".utf8)))
    #expect(
      "\(configuration)"
        == "ApplicationConfiguration(client, https://login.microsoftonline.com/common, store: sqlite)"
    )
    #expect(!dumped(configuration).contains("secret"))
  }

  @Test func `an application is described without its cached responses`() throws {
    let application = try LocalMachine().application(ApplicationConfiguration(clientID: "client"))
    #expect(
      "\(application)"
        == "PublicClientApplication(client, https://login.microsoftonline.com/common)")
    #expect(!dumped(application).contains("ResponseCache"))
  }

  @Test func `the claims of a token are described by their names`() throws {
    let claims = try #require(
      TokenClaims(json: #"{"oid": "1", "groups": ["a", 2, "b"], "exp": 1.5, "new": true}"#))
    #expect("\(claims)" == "TokenClaims(oid, groups, exp, new)")
    #expect(claims.string("oid") == "1" && claims.integer("oid") == nil)
    #expect(claims.strings("groups") == ["a", "b"] && claims.strings("oid") == ["1"])
    #expect(claims.integer("exp") == 1 && claims.bool("new") == true)
    #expect(claims.string("absent") == nil && claims.strings("absent").isEmpty)
    #expect(TokenClaims(json: "[]") == nil && TokenClaims(json: "{") == nil)
  }

  @Test(arguments: [
    #"{"sub":"me","name":"Zoë","list":[1, 2]}"#, " {\n}", #"{"name":"a\ud83d \n"}"#,
    #"{"sub":"\ud83d"}"#,
    #"{"a":1,"a":2}"#, "[]", "no JSON",
  ])
  func `the document of a token has the claims of its ID token`(_ claims: String) throws {
    for header in [#"{"alg":"RS256"}"#, "no JSON"] {
      let parts = [header, claims, "signature"].map { Base64URL.encode(Array($0.utf8)) }
      let result = TokenResult(
        accessToken: Secret("a\"b"), tokenType: "Bearer", expiresOn: token.expiresOn,
        extendedExpiresOn: nil, refreshOn: nil, scopes: [],
        idToken: Secret(parts.joined(separator: ".")), account: alice, tenantID: "utid",
        authority: token.authority, source: .cache)
      #expect(try JSONValue(parsing: result.jsonBytes) == result.json)
      let isValid = header != "no JSON" && (try? JSONWebToken(try #require(result.idToken))) != nil
      #expect((result.json.object?["id_token_claims"] != nil) == isValid)
    }
  }
}
