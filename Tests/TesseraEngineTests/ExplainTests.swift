// SPDX-License-Identifier: MIT
// The dry run of a silent call: each cached token with the reasons for its use or rejection, without a request.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ExplainTests {
  private let bench = TestBench()

  private func request(_ result: TokenResult, _ scopes: [String] = ["user.read"]) -> SilentRequest {
    SilentRequest(account: result.account, scopes: scopes)
  }

  private func candidates(
    _ explanation: Explanation, _ role: TokenCandidate.Role
  ) -> [String: [RejectionReason]] {
    let fitting = explanation.candidates.filter { $0.role == role }
    return Dictionary(fitting.map { ($0.credentialType, $0.obstacles) }) { $0 + $1 }
  }

  #if TesseraLegacy
    @Test func `after declined scopes, no token of an older library is redeemed`() throws {
      try bench.provider.perform(
        .set([.accessTokenLifetime(seconds: 60), .grantedScope("user.read")]))
      try bench.importItems(bench.legacyItem())
      let application = try bench.application()
      let account = try bench.signIn(application).account
      let request = SilentRequest(account: account, scopes: ["user.read", "mail.read"])
      #expect(try application.acquireTokenSilent(request).declinedScopes == ["mail.read"])
      bench.clock.advance(seconds: 90)
      let refreshes = bench.refreshes
      expect(.serverDeclinedScopes) { _ = try application.acquireTokenSilent(request) }
      #expect(bench.refreshes == refreshes)
      let explanation = try application.explain(request)
      #expect(explanation.decision == .pause && explanation.reason == "server_declined_scopes")
    }
  #endif

  @Test func `a valid cached token is used without a request`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    let requests = bench.provider.counts.requests
    let explanation = try application.explain(request(signedIn))
    #expect(explanation.decision == .use && explanation.reason == "valid")
    #expect(explanation.error == nil)
    #expect(candidates(explanation, .used) == ["AccessToken": []])
    #expect(candidates(explanation, .notUsed) == ["RefreshToken": [.notNeeded]])
    #expect(explanation.scopes == ["user.read"])
    #expect(bench.provider.counts.requests == requests)
  }

  @Test func `scopes missing from a token are listed`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    let explanation = try application.explain(request(signedIn, ["mail.read", "USER.read"]))
    #expect(explanation.decision == .refresh && explanation.reason == "missing")
    let token = try #require(explanation.candidates.last)
    #expect(token.obstacles == [.scopesMissing])
    #expect(token.missingScopes == ["mail.read"])
    #expect(candidates(explanation, .used) == ["RefreshToken": []])
  }

  @Test func `an expired token, a forced refresh and a claims challenge are reasons`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    var forced = request(signedIn)
    forced.forcesRefresh = true
    let first = try application.explain(forced)
    #expect(first.reason == "forced")
    #expect(candidates(first, .notUsed) == ["AccessToken": [.refreshForced]])
    var challenged = request(signedIn)
    challenged.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    let second = try application.explain(challenged)
    #expect(second.reason == "claims")
    #expect(candidates(second, .notUsed) == ["AccessToken": [.claimsChallenge]])
    bench.clock.advance(seconds: 3_600)
    let third = try application.explain(request(signedIn))
    #expect(third.reason == "expired")
    #expect(candidates(third, .notUsed) == ["AccessToken": [.expired]])
  }

  @Test func `tokens of other tenants and applications are listed as rejected`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    let other = try bench.application(client: "other", tenant: "other-tenant")
    let explanation = try other.explain(request(signedIn))
    #expect(explanation.decision == .signIn && explanation.reason == "interaction_required")
    #expect(explanation.error?.remedy == .signIn)
    let found = candidates(explanation, .notUsed)
    #expect(found["AccessToken"] == [.otherApplication, .otherTenant])
    #expect(found["RefreshToken"] == [.otherApplication])
  }

  @Test func `a recent failure is reported as throttled`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    bench.clock.advance(seconds: 3_600)
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    expect(.throttled) { _ = try application.acquireTokenSilent(request(signedIn)) }
    let explanation = try application.explain(request(signedIn))
    #expect(explanation.decision == .pause && explanation.reason == "throttled")
    #expect(explanation.error?.retryAfterSeconds == 60)
    #expect(candidates(explanation, .notUsed)["RefreshToken"] == [.failedRecently])
  }

  @Test func `an unknown account has no candidates`() throws {
    let application = try bench.application()
    let explanation = try application.explain(
      SilentRequest(homeAccountID: "nobody.nowhere", scopes: ["user.read"]))
    #expect(explanation.decision == .signIn)
    #expect(explanation.candidates.isEmpty)
  }

  @Test func `an account in another environment is reported with its rejected tokens`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.environment = "elsewhere.example"
    let explanation = try application.explain(request)
    #expect(explanation.decision == .signIn)
    #expect(explanation.error?.code == .interactionRequired)
    #expect(explanation.message.contains("elsewhere.example"))
    #expect(explanation.candidates.count == 2)
    #expect(explanation.candidates.allSatisfy { $0.obstacles.first == .otherEnvironment })
    #expect(explanation.candidates.allSatisfy { $0.role == .notUsed })
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
    let withoutAccount = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    #expect(try application.explain(withoutAccount).homeAccountID == account.homeAccountID)
  }

  @Test func `a sign-in has an explanation only on request`() throws {
    let application = try bench.application()
    #expect(try bench.signIn(application).explanation == nil)
    var request = DeviceCodeRequest(scopes: ["user.read"])
    request.explains = true
    let explanation = try #require(
      try application.acquireTokenByDeviceCode(request) { prompt in
        try? bench.provider.perform(
          .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
      }.explanation)
    #expect(explanation.decision == .signedIn && explanation.reason == "device_code")
    #expect(explanation.homeAccountID == LocalUser.alice.homeAccountID)
    // The polls wait on a virtual clock.
    #expect((explanation.totalMicroseconds ?? 0) >= 1_000_000)
  }

  @Test func `the async explained call returns the explanation`() async throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let result = try await application.acquireTokenSilentExplained(request)
    #expect(result.explanation?.decision == .use)
  }

  @Test func `a silent result has an explanation only on request`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    let explained = try application.acquireTokenSilentExplained(request(signedIn))
    #expect(explained.explanation?.decision == .use)
    #expect(explained.explanation?.networkMicroseconds == 0)
    #expect(explained.explanation?.totalMicroseconds != nil)
    #expect(try application.acquireTokenSilent(request(signedIn)).explanation == nil)
    bench.clock.advance(seconds: 3_600)
    let refreshed = try application.acquireTokenSilentExplained(request(signedIn))
    #expect(refreshed.source == .network)
    #expect(refreshed.explanation?.reason == "expired")
  }

  @Test func `an explanation contains no secret`() throws {
    let application = try bench.application()
    let signedIn = try bench.signIn(application)
    let text = try application.explain(request(signedIn)).json.serialized
    let secrets = bench.transport.secrets
    #expect(!secrets.isEmpty)
    #expect(!secrets.contains(where: text.contains))
  }
}
