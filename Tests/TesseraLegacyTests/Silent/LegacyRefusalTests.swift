// SPDX-License-Identifier: MIT
// Rejected refresh tokens of older libraries, and their use alongside the application's own sign-in.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacyRefusalTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  /// A request that no cached token satisfies.
  private var forced: SilentRequest {
    var request = request
    request.forcesRefresh = true
    return request
  }

  private func refuse(_ member: String) throws {
    let body = #"{"error":"invalid_grant",\#(member)}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
  }

  private func needsSignIn(_ request: SilentRequest) throws {
    let error = #expect(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(error?.remedy == .signIn)
  }

  @Test func `protection_policy_required from a legacy token reports the authority`() throws {
    try bench.importItems(bench.legacyItem())
    let body =
      #"{"error":"unauthorized_client","suberror":"protection_policy_required","error_codes":[53005]}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let error = #expect(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(error?.code == .protectionPolicyRequired)
    #expect(error?.authority == bench.provider.entraAuthority())
  }

  /// A transport that runs an action after each token response.
  private struct Interruption: Transport {
    let network: LocalTransport
    let act: @Sendable () -> Void

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      let response = try network.send(request, within: limits)
      if response.json?["access_token"] != nil { act() }
      return response
    }
  }

  @Test(arguments: [70000, 65001, 70043] as [Int64])
  func `an error for the requested scope is recorded for two minutes`(
    _ code: Int64
  ) throws {
    try bench.importItems(bench.legacyItem())
    try refuse(#""error_codes":[\#(code)]"#)
    try needsSignIn(request)
    let count = bench.transport.requests.count
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
    bench.clock.advance(seconds: 121)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [50173, 70008, 700_081, 700_082, 700_084] as [Int64])
  func `a token with a final error is never redeemed again`(_ code: Int64) throws {
    try bench.importItems(bench.legacyItem())
    try refuse(#""error_codes":[\#(code)]"#)
    try needsSignIn(request)
    let count = bench.transport.requests.count
    bench.clock.advance(seconds: 3601)
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
  }

  @Test func `a valid token is found after nine invalid ones`() throws {
    let good = try bench.legacyItem { $0.realm = "z" }
    for number in 0..<9 {
      var item = good
      item.realm = "\(number)"
      item.refreshToken = Secret("dead \(number)")
      try bench.importItems(item)
    }
    try bench.importItems(good)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
    #expect(bench.refreshes == 10)
  }

  @Test func `one call redeems at most 16 tokens`() throws {
    let item = try bench.legacyItem()
    for number in 0..<30 {
      var other = item
      other.realm = "\(number)"
      other.refreshToken = Secret("dead \(number)")
      try bench.importItems(other)
    }
    try needsSignIn(request)
    #expect(bench.refreshes == 16)
  }

  @Test func `after client_mismatch, family tokens are not redeemed again`() throws {
    try bench.importItems(bench.legacyItem { $0.clientID = "foci-1" })
    try refuse(#""suberror":"client_mismatch""#)
    try needsSignIn(request)
    bench.clock.advance(seconds: 3601)
    let count = bench.transport.requests.count
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
    #expect(try bench.application().accounts().isEmpty)
  }

  @Test func `after a rejection of the own token, a legacy token is redeemed`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try bench.importItems(bench.legacyItem())
    try refuse(#""suberror":"basic_action""#)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    #expect(bench.refreshes == 2)
    // Its refresh token replaced the rejected one.
    bench.clock.advance(seconds: 3601)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    #expect(bench.refreshes == 3)
  }

  @Test func `a newer legacy token is used while the rejection is recorded`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try bench.importItems(bench.legacyItem { $0.refreshToken = Secret("revoked") })
    try refuse(#""suberror":"basic_action""#)
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(forced) }
    #expect(error?.remedy == .signIn && error?.suberror == "basic_action")
    #expect(bench.refreshes == 2)
    try bench.importItems(bench.legacyItem())
    #expect(try application.explain(forced).decision == .refresh)
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }

  @Test func `a legacy token that was redeemed before is not redeemed again`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    _ = try application.acquireTokenSilent(request)
    try refuse(#""suberror":"basic_action""#)
    try needsSignIn(forced)
    #expect(bench.refreshes == 2)
  }

  @Test func `a sign-out during a redemption is not reverted`() throws {
    let item = try bench.legacyItem()
    try bench.importItems(item)
    let store = bench.store
    let interruption = Interruption(network: bench.transport) {
      let all = LegacyUser(homeAccountID: nil)
      let signOut = LegacyAccountRecord.Change.signOut(all, clientID: nil)
      _ = try? store.commit(CacheChange([.legacy(name: item.userID, signOut)]), within: .none)
    }
    let application = try bench.application(transport: interruption)
    let result = try application.acquireTokenSilent(request)
    #expect(!result.isPersisted && result.warnings.count == 1)
    #expect(result.warnings.allSatisfy { $0.contains("migrated refresh token was removed") })
    #expect(try application.accounts().isEmpty)
  }
}
