// SPDX-License-Identifier: MIT
// Which ID tokens are believed.

import TesseraWire
import Testing

@Suite struct IDTokenCheckTests {
  private let now = Instant(secondsSince1970: 1_800_000_000)

  private func token(alg: String = "RS256", _ changes: JSONObject = [:]) throws -> JSONWebToken {
    let claims: JSONObject = [
      "iss": "https://issuer.example", "aud": "client", "sub": "someone", "exp": 1_800_003_600,
      "nbf": 1_800_000_000,
    ]
    let parts = [JSONValue.object(["alg": .string(alg)]), .object(claims.overlaid(with: changes))]
    let text = parts.map { Base64URL.encode($0.bytes) }.joined(separator: ".") + ".c2ln"
    return try JSONWebToken(Secret(text))
  }

  private func check(
    _ token: JSONWebToken, issuer: String = "https://issuer.example", nonce: String? = nil
  ) throws(WireError) {
    try IDTokenCheck(issuer: issuer, clientID: "client", nonce: nonce, now: now).check(token)
  }

  @Test func `a proper token is believed`() throws {
    try check(try token())
    try check(try token(["aud": ["client"]]))
    try check(try token(["aud": ["client", "other"], "azp": "client"]))
    try check(try token(["nonce": "n"]), nonce: "n")
  }

  @Test func `the case of the application's id counts unless it is known not to`() throws {
    for claims in [["aud": "CLIENT"], ["aud": ["other", "Client"], "azp": "cLIENT"]] as [JSONObject]
    {
      let token = try token(claims)
      #expect(throws: WireError.self) { try check(token) }
      var lenient = IDTokenCheck(issuer: "https://issuer.example", clientID: "client", now: now)
      lenient.ignoresCase = true
      try lenient.check(token)
    }
  }

  @Test(arguments: [["iss": "https://evil.example/x"], ["aud": "evil-app"]] as [JSONObject])
  func `a refusal says what the token names`(_ change: JSONObject) throws {
    let token = try token(change)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.message.contains("evil") == true)
  }

  @Test func `the tenant of a shared issuer is filled in`() throws {
    try check(
      try token(["iss": "https://login.example/t1/v2.0", "tid": "t1"]),
      issuer: "https://login.example/{tenantid}/v2.0")
  }

  @Test(
    arguments: [
      ("id_token_issuer", ["iss": "https://issuer.example/"]),
      ("id_token_issuer", ["iss": .null]),
      ("id_token_audience", ["aud": "other"]),
      ("id_token_audience", ["aud": ["client", "other"]]),
      ("id_token_audience", ["aud": .null]),
      ("id_token_expired", ["exp": 1_799_999_000]),
      ("id_token_expired", ["exp": .null]),
      ("id_token_not_yet_valid", ["nbf": 1_800_001_000]),
      ("id_token_nonce", ["nonce": "other"]),
    ] as [(String, JSONObject)])
  func `a token is refused for one wrong claim`(_ code: String, _ change: JSONObject) throws {
    let token = try token(change)
    let error = #expect(throws: WireError.self) {
      try check(token, nonce: code == "id_token_nonce" ? "n" : nil)
    }
    #expect(error?.code == code)
  }

  @Test func `clocks may differ by ten minutes`() throws {
    try check(try token(["exp": 1_799_999_500]))
    try check(try token(["nbf": 1_800_000_500]))
  }

  @Test(arguments: ["none", "None", "NONE"])
  func `an unsigned token is refused`(_ algorithm: String) throws {
    let token = try token(alg: algorithm)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.code == "id_token_unsigned")
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c", "e30.e30", "e30.e30.x.y", "!.e30.x"])
  func `what is no JWT is refused`(_ text: String) {
    #expect(throws: WireError.self) { try JSONWebToken(Secret(text)) }
  }
}
