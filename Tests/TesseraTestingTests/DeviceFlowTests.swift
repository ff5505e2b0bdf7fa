// SPDX-License-Identifier: MIT
// The device flow (RFC 8628) of Entra and of an OpenID Connect issuer.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct DeviceFlowTests {
  let bench = Bench()

  @Test(arguments: [("entra", "common"), ("plain", "main")])
  func `an approved device gets tokens once`(face: String, name: String) throws {
    let endpoints = face == "entra" ? Bench.Endpoints.entra(name) : .plain(name)
    let device = bench.authorizeDevice(endpoints)
    let pending = bench.poll(endpoints, device["device_code"])
    #expect(pending.status == 400)
    #expect(pending["error"] == "authorization_pending")

    let code = try #require(device["user_code"])
    try bench.provider.perform(.approve(userCode: code, username: "alice@contoso.com"))
    let answer = bench.poll(endpoints, device["device_code"])
    #expect(answer.status == 200)
    let tokens = try TokenResponse(answer.json, received: ResponseTime(at: bench.clock.now))
    #expect(tokens.refreshToken != nil)
    #expect(tokens.expiresAt == bench.clock.now.adding(seconds: 3600))

    #expect(bench.poll(endpoints, device["device_code"])["error"] == "invalid_grant")
  }

  @Test func `the device authorization response is complete`() throws {
    let plain = bench.authorizeDevice(.plain("main"))
    let authorization = try DeviceAuthorization(plain.json, receivedAt: bench.clock.now)
    #expect(authorization.intervalSeconds == 5)
    #expect(authorization.verificationURI == Bench.origin + "/device")
    #expect(
      authorization.verificationURIComplete
        == "\(Bench.origin)/device?user_code=\(authorization.userCode)")
    let entra = bench.authorizeDevice(.entra("common"))
    let userCode = try #require(entra["user_code"])
    #expect(entra["message"]?.contains(userCode) == true)
  }

  @Test func `polling too fast adds five seconds to the interval`() {
    let endpoints = Bench.Endpoints.plain("main")
    let device = bench.authorizeDevice(endpoints)["device_code"]
    #expect(bench.poll(endpoints, device)["error"] == "authorization_pending")
    bench.clock.advance(seconds: 4)
    #expect(bench.poll(endpoints, device)["error"] == "slow_down")
    bench.clock.advance(seconds: 9)
    #expect(bench.poll(endpoints, device)["error"] == "slow_down")
    bench.clock.advance(seconds: 15)
    #expect(bench.poll(endpoints, device)["error"] == "authorization_pending")
  }

  @Test func `a declined request returns the error code of its provider`() throws {
    for (endpoints, error) in [
      (Bench.Endpoints.entra("common"), "authorization_declined"),
      (.plain("main"), "access_denied"),
    ] {
      let device = bench.authorizeDevice(endpoints)
      let code = try #require(device["user_code"])
      try bench.provider.perform(.decline(userCode: code))
      #expect(bench.poll(endpoints, device["device_code"])["error"] == error)
    }
  }

  @Test func `a device code expires after 900 seconds`() {
    let endpoints = Bench.Endpoints.entra("common")
    let device = bench.authorizeDevice(endpoints)["device_code"]
    bench.clock.advance(seconds: 900)
    let answer = bench.poll(endpoints, device)
    #expect(answer["error"] == "expired_token")
    #expect(answer.json["error_codes"] == [70020])
  }

  @Test func `a device code is bound to its client and issuer`() throws {
    let device = bench.authorizeDevice(.plain("main"))
    let code = try #require(device["user_code"])
    try bench.provider.perform(.approve(userCode: code, username: "bob@contoso.com"))
    let deviceCode = device["device_code"]
    #expect(bench.poll(.plain("main"), deviceCode, client: "b")["error"] == "invalid_grant")
    #expect(bench.poll(.plain("other"), deviceCode)["error"] == "invalid_grant")
    #expect(bench.poll(.entra("common"), deviceCode)["error"] == "bad_verification_code")
    #expect(bench.poll(.plain("main"), deviceCode).status == 200)
  }

  @Test func `only users of the tenant can approve a code`() throws {
    let device = bench.authorizeDevice(.entra("consumers"))
    let code = try #require(device["user_code"])
    #expect(throws: ProviderCommandError.self) {
      try bench.provider.perform(.approve(userCode: code, username: "alice@contoso.com"))
    }
    try bench.provider.perform(.approve(userCode: code, username: "dave@outlook.example"))
    #expect(bench.poll(.entra("consumers"), device["device_code"]).status == 200)
  }

  @Test func `without offline_access, no refresh token is issued`() throws {
    let device = bench.post("/oidc/main/device", ["client_id": "app", "scope": "openid"])
    let code = try #require(device["user_code"])
    try bench.provider.perform(.approve(userCode: code, username: "alice@contoso.com"))
    let answer = bench.poll(.plain("main"), device["device_code"])
    #expect(answer["access_token"] != nil)
    #expect(answer["refresh_token"] == nil)
  }
}
