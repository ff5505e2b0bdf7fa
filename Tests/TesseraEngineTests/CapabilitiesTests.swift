// SPDX-License-Identifier: MIT
// Client capabilities and claims challenges, and their effect on cached tokens.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct CapabilitiesTests {
  private let bench = TestBench()

  private func request(_ account: Account, _ scope: String = "user.read") -> SilentRequest {
    SilentRequest(account: account, scopes: [scope])
  }

  private func claims(_ request: HTTPRequest?) -> String? {
    request.flatMap { FormFields(decoding: String(decoding: $0.body, as: UTF8.self))["claims"] }
  }

  @Test func `applications with different capabilities share no access tokens`() throws {
    let plain = try bench.application()
    let capable = try bench.application { $0.clientCapabilities = ["CP1"] }
    let account = try bench.signIn(plain).account
    let first = try capable.acquireTokenSilent(request(account))
    #expect(first.source == .network)
    let own = try plain.acquireTokenSilent(request(account))
    #expect(own.source == .cache && own.accessToken != first.accessToken)
    let again = try capable.acquireTokenSilent(request(account))
    #expect(again.source == .cache && again.accessToken == first.accessToken)
    let other = try bench.application { $0.clientCapabilities = ["CP2", "CP1"] }
    #expect(try other.acquireTokenSilent(request(account)).source == .network)
    let same = try bench.application { $0.clientCapabilities = ["CP1", "CP2", "CP1"] }
    #expect(try same.acquireTokenSilent(request(account)).source == .cache)
  }

  @Test func `explain rejects a token with other capabilities as other_claims`() throws {
    let account = try bench.signIn(bench.application()).account
    let capable = try bench.application { $0.clientCapabilities = ["CP1"] }
    let explanation = try capable.explain(request(account))
    #expect(explanation.reason == "missing")
    #expect(explanation.candidates.contains { $0.obstacles == [.otherClaims] })
  }

  @Test func `each request contains the capabilities, merged with the claims of a challenge`()
    throws
  {
    let application = try bench.application { $0.clientCapabilities = ["CP1"] }
    let account = try bench.signIn(application).account
    let device = bench.transport.requests.first { $0.url.contains("devicecode") }
    let alone = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
    #expect(claims(device) == alone)
    var challenged = request(account)
    challenged.claims = #"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#
    let token = try application.acquireTokenSilent(challenged)
    let both =
      #"{"access_token":{"nbf":{"essential":true,"value":"1"},"xms_cc":{"values":["CP1"]}}}"#
    #expect(claims(bench.transport.requests.last) == both)
    let next = try application.acquireTokenSilent(request(account))
    #expect(next.source == .cache && next.accessToken == token.accessToken)
  }

  @Test func `a sign-in for a claims challenge removes older access tokens`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(request(account, "mail.read"))
    let other = try bench.application(client: "other")
    try bench.signIn(other)
    var challenge = DeviceCodeRequest(scopes: ["user.read"])
    challenge.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    let provider = bench.provider
    _ = try application.acquireTokenByDeviceCode(challenge) { prompt in
      try? provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }
    #expect(try application.acquireTokenSilent(request(account)).source == .cache)
    #expect(try application.acquireTokenSilent(request(account, "mail.read")).source == .network)
    #expect(try other.acquireTokenSilent(request(account)).source == .cache)
  }

  @Test(arguments: ["{}", " { } "])
  func `claims without a request return the cached token`(_ claims: String) throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var challenged = request(account)
    challenged.claims = claims
    #expect(try application.acquireTokenSilent(challenged).source == .cache)
    #expect(try application.explain(challenged).decision == .use)
    challenged.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    #expect(try application.acquireTokenSilent(challenged).source == .network)
  }

  @Test func `a sign-in with empty claims keeps the other access tokens`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    _ = try application.acquireTokenSilent(request(account, "mail.read"))
    var empty = DeviceCodeRequest(scopes: ["user.read"])
    empty.claims = "{}"
    let provider = bench.provider
    _ = try application.acquireTokenByDeviceCode(empty) { prompt in
      try? provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }
    #expect(try application.acquireTokenSilent(request(account, "mail.read")).source == .cache)
  }

  @Test(arguments: ["", "C P", "CP1\n", "ü"])
  func `an unprintable capability is rejected`(_ name: String) {
    expect(.invalidConfiguration) {
      _ = try bench.application { $0.clientCapabilities = [name] }
    }
  }
}
