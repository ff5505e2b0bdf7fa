// SPDX-License-Identifier: MIT
// Tests of server messages: token responses, errors, discovery documents and trusted URLs.

import TesseraWire
import Testing

@Suite struct MessagesTests {
  private let now = Instant(secondsSince1970: 1_800_000_000)

  private func json(_ text: String) throws -> JSONObject {
    try #require(JSONValue(parsing: text).object)
  }

  @Test(arguments: [
    (#"{"access_token":"a","expires_in":60}"#, 1_800_000_060),
    (#"{"access_token":"a","expires_in":"60"}"#, 1_800_000_060),
    (#"{"access_token":"a","expires_on":"1800000099","expires_in":60}"#, 1_800_000_099),
    (#"{"access_token":"a"}"#, 1_800_003_600),
    (#"{"access_token":"a","expires_in":0}"#, 1_800_000_000),
    (#"{"access_token":"a","expires_in":-9}"#, 1_800_000_000),
    (#"{"access_token":"a","expires_in":9223372036854775807}"#, Int64.max),
  ])
  func `the expiry is parsed from numbers and strings`(_ text: String, _ expected: Int64) throws {
    let response = try TokenResponse(json(text), received: ResponseTime(at: now))
    #expect(response.expiresAt.secondsSince1970 == expected)
  }

  @Test(arguments: [
    "{}", #"{"access_token":""}"#, #"{"access_token":1}"#, #"{"refresh_token":"r"}"#,
    #"{"access_token":"a\r\nX: y"}"#, #"{"access_token":"a\u0000"}"#,
    #"{"access_token":"a","refresh_token":"é"}"#,
  ])
  func `a token response without a valid token is rejected`(_ text: String) {
    #expect(throws: WireError.self) {
      try TokenResponse(try json(text), received: ResponseTime(at: now))
    }
  }

  @Test func `a device authorization has default values for expiry and interval`() throws {
    let authorization = try DeviceAuthorization(
      json(#"{"device_code":"d","user_code":"U","verification_url":"https://x.example/d"}"#),
      receivedAt: now)
    #expect(authorization.intervalSeconds == 5)
    #expect(authorization.expiresAt == now.adding(seconds: 1800))
    #expect(authorization.verificationURI == "https://x.example/d")
  }

  @Test(arguments: ["http://evil.example/d", "javascript:alert(1)", "not a url", ""])
  func `a verification URI that is not https is rejected`(_ address: String) throws {
    let object: JSONObject = [
      "device_code": "d", "user_code": "U", "verification_uri": .string(address),
    ]
    #expect(throws: WireError.self) { try DeviceAuthorization(object, receivedAt: now) }
  }

  @Test func `a discovery document with an http endpoint is rejected except on loopback`() throws {
    #expect(throws: WireError.self) {
      try OpenIDConfiguration(
        json(#"{"issuer":"https://a.example","token_endpoint":"http://a.example/token"}"#))
    }
    #expect(throws: Never.self) {
      try OpenIDConfiguration(
        json(#"{"issuer":"http://127.0.0.1:8","token_endpoint":"http://127.0.0.1:8/token"}"#))
    }
  }

  @Test(arguments: [
    "https://user@a.example/token", "https://user:secret@a.example/token",
    "https://a.example/token\r\nX: y", "https://a.example/to ken", "/token",
    "ftp://a.example/token",
  ])
  func `an endpoint that is not a valid URL is reported as such`(_ endpoint: String) throws {
    let document: JSONObject = [
      "issuer": "https://a.example", "token_endpoint": .string(endpoint),
    ]
    let error = #expect(throws: WireError.self) { try OpenIDConfiguration(document) }
    #expect(error?.message.contains("must be an https URL without user information") == true)
  }

  @Test func `an error with status 200 is an error`() throws {
    let response = HTTPResponse.json(["error": "authorization_pending"])
    #expect(ServerError(response)?.error == "authorization_pending")
    #expect(ServerError(HTTPResponse.json(["access_token": "a"])) == nil)
  }

  @Test func `all members of an error response are kept`() throws {
    let response = HTTPResponse.json(
      [
        "error": "invalid_grant", "error_description": "AADSTS50173: …", "suberror": "bad_token",
        "error_codes": [50173], "correlation_id": "c", "trace_id": "t", "claims": "{}",
      ], status: 400, headers: [HTTPHeader("retry-after", "7")])
    let error = try #require(ServerError(response))
    #expect(error.suberror == "bad_token")
    #expect(error.serverCodes == [50173])
    #expect(error.correlationID == "c")
    #expect(error.traceID == "t")
    #expect(error.claims == "{}")
    #expect(error.retryAfterSeconds == 7)
    #expect(!error.isTemporary)
  }

  @Test(arguments: ["{\"a\":1}\r\nX: y", "[]", "text", "\"{}\"", "{", ""])
  func `claims of an error that are not a JSON object are dropped`(_ claims: String) throws {
    let response = HTTPResponse.json(
      ["error": "interaction_required", "claims": .string(claims)], status: 400)
    #expect(try #require(ServerError(response)).claims == nil)
    var fields = FormFields()
    fields.add("error", "interaction_required")
    fields.add("claims", claims)
    #expect(try #require(ServerError(authorization: fields)).claims == nil)
  }

  @Test func `correlation and trace IDs come from the header if the body has none`() throws {
    let headers = [
      HTTPHeader("Client-Request-Id", "header c"), HTTPHeader("X-MS-Request-Id", "header t"),
    ]
    for body in ["<html>", "{}", #"{"error":"server_error","correlation_id":" ","trace_id":5}"#] {
      let response = HTTPResponse(status: 503, headers: headers, body: Array(body.utf8))
      let error = try #require(ServerError(response))
      #expect(error.correlationID == "header c")
      #expect(error.traceID == "header t")
    }
    let both = #"{"error":"x","correlation_id":"c","trace_id":"t"}"#
    let error = try #require(
      ServerError(HTTPResponse(status: 400, headers: headers, body: Array(both.utf8))))
    #expect(error.correlationID == "c" && error.traceID == "t")
    let bare = try #require(ServerError(HTTPResponse(status: 503, body: Array("{}".utf8))))
    #expect(bare.correlationID == nil && bare.traceID == nil)
  }

  @Test(arguments: [
    ("AADSTS50076: Due to …", [50076]), ("ABCDEF50076: Due to …", []), ("aadsts50076", []),
    ("AADSTS", []), (nil, []),
  ])
  func `only an AADSTS number at the start is parsed`(_ text: String?, _ numbers: [Int64]) {
    #expect(ServerError.numbers(in: text) == numbers)
  }

  @Test func `instance discovery without tenant_discovery_endpoint is rejected`() {
    #expect(throws: WireError.self) { try InstanceDiscovery(json(#"{"metadata":[]}"#)) }
  }

  @Test func `the announcement of iss survives the round trip to JSON`() throws {
    let issuerFlag = #""authorization_response_iss_parameter_supported":true"#
    let endpoints = #""issuer":"https://a","token_endpoint":"https://a/token""#
    let configuration = try OpenIDConfiguration(json("{\(endpoints),\(issuerFlag)}"))
    #expect(try OpenIDConfiguration(configuration.json).alwaysSendsIssuer)
    #expect(try !OpenIDConfiguration(json("{\(endpoints)}")).alwaysSendsIssuer)
  }

  @Test func `instance discovery finds the cloud of a host by its aliases`() throws {
    let discovery = try InstanceDiscovery(
      json(
        #"{"tenant_discovery_endpoint":"https://a/x","metadata":[{"preferred_network":"a","preferred_cache":"b","aliases":["a","B"]}]}"#
      ))
    #expect(discovery.cloud(of: "b")?.preferredCache == "b")
    #expect(discovery.cloud(of: "c") == nil)
  }

  @Test(arguments: [
    "https://a.example/x", "https://A.example:443/x?y=1", "http://localhost:1/", "http://127.1.2.3",
    "http://[::1]:2/a",
  ])
  func `secrets may be sent over https or to loopback`(_ address: String) throws {
    #expect(try #require(WebURL(address)).mayCarrySecrets)
  }

  @Test(arguments: [
    "http://a.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "http://127.evil", "ftp://a.example", "https://user@a.example", "https://u:p@a.example",
    "http://127.0.0.+1/", "https://a.example/x y", "https://a.example/\n",
    "https://a.example:99999", "https://a.example%2F.evil.example", "https://a%20b.example",
    "//a.example", "a.example", "", "https://", "file:///etc/passwd",
  ])
  func `secrets must not be sent to other URLs`(_ address: String) {
    #expect(WebURL(address)?.mayCarrySecrets != true)
  }
}
