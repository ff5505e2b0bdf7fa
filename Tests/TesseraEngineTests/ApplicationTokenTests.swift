// SPDX-License-Identifier: MIT
// App-only tokens that another library stored in a shared cache.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ApplicationTokenTests {
  private static let tenant = "11111111-1111-4111-8111-111111111111"
  private let bench = TestBench()

  private var request: SilentRequest { SilentRequest(forApplicationWithScopes: ["a/.default"]) }

  /// Stores an app-only token, and a refresh token without an account ID.
  private func store(
    secondsLeft: Int64 = 3600, _ change: (inout CredentialRecord) -> Void = { _ in }
  ) throws {
    var token = record(.accessToken, "the application's")
    token.realm = Self.tenant
    token.target = "a/.default"
    token.cachedAt = bench.clock.now.adding(seconds: secondsLeft - 3600)
    token.expiresAt = bench.clock.now.adding(seconds: secondsLeft)
    change(&token)
    let stray = record(.refreshToken, "nobody's")
    try bench.store.commit(
      CacheChange([.put(.credential(token)), .put(.credential(stray))]), within: .none)
  }

  private func record(_ type: CredentialType, _ secret: String) -> CredentialRecord {
    var token = CredentialRecord(type: type, secret: Secret(secret))
    token.homeAccountID = ""
    token.environment = "http://127.0.0.1:8400"
    token.clientID = "client"
    return token
  }

  @Test func `a cached app-only token is returned only to its application`() throws {
    try store()
    let application = try bench.application(tenant: Self.tenant)
    for _ in 0..<2 {
      let result = try application.acquireTokenSilent(request)
      #expect(result.accessToken.reveal() == "the application's" && result.source == .cache)
      #expect(result.account.homeAccountID.isEmpty)
      var anonymous = request
      anonymous.isForApplication = false
      expect(.accountNotFound) { _ = try application.acquireTokenSilent(anonymous) }
    }
    let other = try bench.application(client: "other", tenant: Self.tenant)
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
  }

  @Test func `without a valid app-only token, the call redeems no refresh token`() throws {
    try store(secondsLeft: 100)
    let application = try bench.application(tenant: Self.tenant)
    var forced = request
    forced.forcesRefresh = true
    var challenged = request
    challenged.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    for request in [request, forced, challenged] {
      expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
    }
    #expect(try application.explain(request).error?.remedy == .signIn)
    #expect(bench.refreshes == 0)
  }

  @Test func `a token in another cache partition is not returned as an app-only token`() throws {
    try store { $0.applicationIdentifier = "ext_cache_key:x" }
    let application = try bench.application(tenant: Self.tenant)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
  }

  @Test func `an app-only request with an account ID or a user name is rejected`() throws {
    let application = try bench.application(tenant: Self.tenant)
    var named = request
    named.homeAccountID = "uid.utid"
    expect(.invalidMember) { _ = try application.acquireTokenSilent(named) }
    named.homeAccountID = ""
    named.username = "alice@contoso.com"
    expect(.invalidMember) { _ = try application.acquireTokenSilent(named) }
  }
}
