// SPDX-License-Identifier: MIT
// The control interface: commands over HTTP and their effects on the provider.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct CommandTests {
  let bench = Bench()
  private let plain = Bench.Endpoints.plain("main")

  @Test func `approve, decline and expire change the state of a code`() throws {
    for (name, members, error) in [
      ("approve", #","username":"bob@contoso.com""#, nil), ("decline", "", "access_denied"),
      ("expire", "", "expired_token"),
    ] {
      let device = bench.authorizeDevice(plain)
      let code = try #require(device["user_code"])
      #expect(bench.command(name, #"{"user_code":"\#(code)"\#(members)}"#).status == 200)
      #expect(bench.poll(plain, device["device_code"])["error"] == error)
    }
  }

  @Test(arguments: [
    HTTPHeader("Origin", "https://page.example"), HTTPHeader("Origin", "null"),
    HTTPHeader("Host", "rebound.example:8400"), HTTPHeader("Host", "127.0.0.1.example"),
    HTTPHeader("Host", "10.0.0.1:8400"), HTTPHeader("Host", ""),
  ])
  func `a web page cannot use the control interface`(_ header: HTTPHeader) {
    for (method, path) in [("POST", "outage"), ("GET", "state")] {
      let response = bench.provider.handle(
        HTTPRequest(
          method: method, url: "\(Bench.origin)/_control/\(path)", headers: [header], body: []))
      #expect(response.status == 403)
    }
    #expect(bench.get("/device").status == 200)
  }

  @Test(arguments: ["127.0.0.1:8400", "localhost:8400", "LOCALHOST", "[::1]:8400"])
  func `a local client can use the control interface`(_ host: String) {
    let response = bench.provider.handle(
      HTTPRequest(
        method: "GET", url: "\(Bench.origin)/_control/state",
        headers: [HTTPHeader("Host", host)], body: []))
    #expect(response.status == 200)
  }

  @Test func `settings are changed one by one`() {
    _ = bench.command("set", #"{"interval_seconds":1,"refresh_in_seconds":30}"#)
    _ = bench.command("set", #"{"rotates_refresh_tokens":false,"family_client_ids":["a"]}"#)
    var expected = ProviderSettings()
    expected.intervalSeconds = 1
    expected.refreshInSeconds = 30
    expected.rotatesRefreshTokens = false
    expected.familyClientIDs = ["a"]
    #expect(bench.provider.settings == expected)
    _ = bench.command("set", #"{"refresh_in_seconds":null}"#)
    #expect(bench.provider.settings.refreshInSeconds == nil)
  }

  @Test func `an outage ends after a number of requests or with recover`() {
    _ = bench.command("outage", #"{"requests":2}"#)
    #expect((0..<3).map { _ in bench.get("/device").status } == [503, 503, 200])
    _ = bench.command("outage", "")
    #expect((0..<3).map { _ in bench.get("/nothing").status } == [503, 503, 503])
    #expect(bench.get("/_control/state").status == 200)
    _ = bench.command("recover", "{}")
    #expect(bench.get("/device").status == 200)
  }

  @Test func `throttle sets the Retry-After value`() {
    _ = bench.command("throttle", #"{"requests":1,"retry_after_seconds":17}"#)
    let answer = bench.authorizeDevice(plain)
    #expect(answer.status == 429)
    #expect(answer.response.retryAfterSeconds == 17)
    #expect(bench.authorizeDevice(plain).status == 200)
  }

  @Test func `fail_token_requests sets status and body`() throws {
    let token = try bench.signIn(plain)["refresh_token"]
    let body = #"{"error":"interaction_required","claims":"{}"}"#
    _ = bench.command("fail_token_requests", #"{"status":401,"body":\#(body)}"#)
    let failed = bench.refresh(plain, token)
    #expect(failed.status == 401)
    #expect(failed.text == body)
    _ = bench.command("fail_token_requests", #"{"body":"<html>"}"#)
    #expect(bench.refresh(plain, token).text == "<html>")
    #expect(bench.refresh(plain, token).status == 200)
  }

  @Test func `revoke_refresh_tokens revokes the tokens of a user`() throws {
    let token = try bench.signIn(plain)["refresh_token"]
    _ = bench.command("revoke_refresh_tokens", #"{"username":"alice@contoso.com"}"#)
    #expect(bench.refresh(plain, token)["error"] == "invalid_grant")
  }

  @Test(arguments: [
    ("approve", "garbage", "invalid_json"), ("approve", "[]", "invalid_json"),
    ("approve", "{}", "invalid_member"),
    ("approve", #"{"user_code":"A","username":"nobody"}"#, "unknown_user"),
    ("decline", #"{"user_code":"ZZZZ-ZZZZ"}"#, "unknown_user_code"),
    ("set", #"{"interval":1}"#, "unknown_member"),
    ("set", #"{"interval_seconds":-1}"#, "invalid_member"),
    ("set", #"{"interval_seconds":"1"}"#, "invalid_member"),
    ("fail_token_requests", #"{"status":100,"body":""}"#, "invalid_member"),
    ("explode", "{}", "unknown_command"),
  ])
  func `an invalid command is rejected with its error`(name: String, body: String, error: String) {
    let answer = bench.command(name, body)
    #expect(answer.status == (error == "unknown_command" ? 404 : 400))
    #expect(answer["error"] == error)
  }

  @Test func `requests are counted by type`() throws {
    let token = try bench.signIn(plain)["refresh_token"]
    _ = bench.refresh(plain, token)
    _ = bench.refresh(plain, token)
    _ = bench.get("/oidc/main/.well-known/openid-configuration")
    _ = bench.post(plain.token, ["grant_type": "password"])
    let counts = bench.provider.counts
    #expect(counts.tokenRequests["refresh_token"] == 2)
    #expect(counts.tokenRequests["urn:ietf:params:oauth:grant-type:device_code"] == 1)
    #expect(counts.tokenRequests["other"] == 1)
    #expect(counts.tokensIssued == 2)
    #expect(counts.refreshTokenReuses == 1)
    #expect(counts.discoveryRequests == 1)
    #expect(counts.deviceAuthorizations == 1)
    #expect(counts.requests == 6)
    try bench.provider.perform(.resetCounts)
    #expect(bench.provider.counts.requests == 0)
  }

  @Test func `the log and the state contain no secrets`() throws {
    let first = try bench.signIn(plain)
    _ = bench.refresh(plain, first["refresh_token"])
    let entry = try #require(bench.provider.requestLog.last)
    #expect(entry.path == "/oidc/main/token")
    #expect(entry.fields["grant_type"] == "refresh_token")
    let state = bench.get("/_control/state").text
    for name in ["refresh_token", "access_token", "id_token"] {
      let secret = try #require(first[name])
      #expect(!state.contains(secret))
    }
  }

  @Test func `the state lists the pending user codes`() throws {
    let code = try #require(bench.authorizeDevice(.entra("common"))["user_code"])
    #expect(bench.provider.pendingUserCodes == [code])
    let devices = bench.get("/_control/state").json["waiting_devices"]?.array
    #expect(devices?.first?.object?["user_code"]?.string == code)
  }
}
