// SPDX-License-Identifier: MIT
// Tests of the ID token validation.

import TesseraWire
import Testing

@Suite struct IDTokenValidatorTests {
  private let now = Instant(secondsSince1970: 1_800_000_000)

  private func token(
    alg: JSONValue = "RS256", signature: String = "c2ln", _ changes: JSONObject = [:]
  ) throws -> JSONWebToken {
    let claims: JSONObject = [
      "iss": "https://issuer.example", "aud": "client", "sub": "someone", "exp": 1_800_003_600,
      "nbf": 1_800_000_000,
    ]
    let parts = [JSONValue.object(["alg": alg]), .object(claims.overlaid(with: changes))]
    let text = parts.map { Base64URL.encode($0.bytes) }.joined(separator: ".") + "." + signature
    return try JSONWebToken(Secret(text))
  }

  private func check(
    _ token: JSONWebToken, issuer: String = "https://issuer.example", nonce: String? = nil
  ) throws(WireError) {
    try IDTokenValidator(issuer: issuer, clientID: "client", nonce: nonce, now: now).check(token)
  }

  @Test func `a valid token is accepted`() throws {
    try check(try token())
    try check(try token(["aud": ["client"]]))
    try check(try token(["aud": ["client", "other"], "azp": "client"]))
    try check(try token(["nonce": "n"]), nonce: "n")
  }

  @Test func `an unpaired surrogate is accepted in display names only`() throws {
    func token(_ member: String) throws -> JSONWebToken {
      let claims = #"{"sub":"s","\#(member)":"a\ud83d"}"#
      let parts = [#"{"alg":"RS256"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }
      return try JSONWebToken(Secret(parts.joined(separator: ".") + ".c2ln"))
    }
    #expect(try IDTokenClaims(token("name")).name == "a\u{FFFD}")
    #expect(try IDTokenClaims(token("preferred_username")).username == "a\u{FFFD}")
    for member in ["sub", "iss", "oid", "tid", "nonce", "email"] {
      #expect(throws: WireError.self) { try token(member) }
    }
  }

  @Test func `client IDs are compared case-sensitively unless ignoresCase is set`() throws {
    for claims in [["aud": "CLIENT"], ["aud": ["other", "Client"], "azp": "cLIENT"]] as [JSONObject]
    {
      let token = try token(claims)
      #expect(throws: WireError.self) { try check(token) }
      var lenient = IDTokenValidator(issuer: "https://issuer.example", clientID: "client", now: now)
      lenient.ignoresCase = true
      try lenient.check(token)
    }
  }

  @Test(arguments: [["iss": "https://evil.example/x"], ["aud": "evil-app"]] as [JSONObject])
  func `the error message contains the rejected issuer or audience`(_ change: JSONObject) throws {
    let token = try token(change)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.message.contains("evil") == true)
  }

  @Test func `the tenant placeholder of the issuer is replaced with tid`() throws {
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
  func `a token with one invalid claim is rejected`(_ code: String, _ change: JSONObject) throws {
    let token = try token(change)
    let error = #expect(throws: WireError.self) {
      try check(token, nonce: code == "id_token_nonce" ? "n" : nil)
    }
    #expect(error?.code == code)
  }

  @Test func `clocks may differ by up to ten minutes`() throws {
    try check(try token(["exp": 1_799_999_500]))
    try check(try token(["nbf": 1_800_000_500]))
  }

  @Test(arguments: ["none", "None", "NONE"])
  func `an unsigned token is rejected`(_ algorithm: String) throws {
    let token = try token(alg: .string(algorithm))
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.code == "id_token_unsigned")
  }

  @Test(
    arguments: [
      "", " ", "HS256", "HS384", "HS512", "RS1", "rs256", "RS256 ", "dir", "A256KW", .null, 256,
      ["RS256"],
    ] as [JSONValue])
  func `a token with a symmetric or unknown algorithm is rejected`(_ algorithm: JSONValue) throws {
    let token = try token(alg: algorithm)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.code == "id_token_unsigned")
  }

  @Test(arguments: [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    "Ed25519", "Ed448",
  ])
  func `a token with an asymmetric algorithm is accepted`(_ algorithm: String) throws {
    try check(try token(alg: .string(algorithm)))
  }

  @Test(arguments: ["", "!", "="])
  func `a token without a signature is rejected`(_ signature: String) throws {
    let token = try token(signature: signature)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.code == "id_token_unsigned")
  }

  @Test(
    arguments: [["azp": "other"], ["azp": "other", "aud": ["client"]], ["azp": 7]]
      as [JSONObject])
  func `a token with another client ID in azp is rejected`(_ change: JSONObject) throws {
    let token = try token(change)
    let error = #expect(throws: WireError.self) { try check(token) }
    #expect(error?.code == "id_token_audience")
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c", "e30.e30", "e30.e30.x.y", "!.e30.x"])
  func `text that is not a JWT is rejected`(_ text: String) {
    #expect(throws: WireError.self) { try JSONWebToken(Secret(text)) }
  }
}
