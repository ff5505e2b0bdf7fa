// SPDX-License-Identifier: MIT
// What a server's no means for a token that an older library left, and what that token is good for beside a sign-in.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacyRefusalTests {
  private let bench = TestBench()

  private var request: SilentRequest { bench.request(named: .alice) }

  /// A request that no token in the cache serves.
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

  @Test func `a refusal that wants the program protected names what Intune is to be told`() throws {
    try bench.take(bench.left())
    let body =
      #"{"error":"unauthorized_client","suberror":"protection_policy_required","error_codes":[53005]}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let error = #expect(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(error?.code == .protectionPolicyRequired)
    #expect(error?.authority == bench.provider.entraAuthority())
  }

  /// Does something while a token is on its way.
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
  func `a refusal of what was asked for is remembered for two minutes, and is not the token's`(
    _ code: Int64
  ) throws {
    try bench.take(bench.left())
    try refuse(#""error_codes":[\#(code)]"#)
    try needsSignIn(request)
    let count = bench.transport.requests.count
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
    bench.clock.advance(seconds: 121)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
  }

  @Test(arguments: [50173, 70008, 700_081, 700_082, 700_084] as [Int64])
  func `a token that is over is never shown again`(_ code: Int64) throws {
    try bench.take(bench.left())
    try refuse(#""error_codes":[\#(code)]"#)
    try needsSignIn(request)
    let count = bench.transport.requests.count
    bench.clock.advance(seconds: 3601)
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
  }

  @Test func `a good token is found behind many that are over`() throws {
    let good = try bench.left { $0.realm = "z" }
    for number in 0..<9 {
      var item = good
      item.realm = "\(number)"
      item.refreshToken = Secret("dead \(number)")
      try bench.take(item)
    }
    try bench.take(good)
    #expect(try bench.application().acquireTokenSilent(request).source == .network)
    #expect(bench.refreshes == 10)
  }

  @Test func `one call shows the server a bounded number of tokens`() throws {
    let item = try bench.left()
    for number in 0..<30 {
      var other = item
      other.realm = "\(number)"
      other.refreshToken = Secret("dead \(number)")
      try bench.take(other)
    }
    try needsSignIn(request)
    #expect(bench.refreshes == 16)
  }

  @Test func `who is in no family is not shown its tokens again`() throws {
    try bench.take(bench.left { $0.clientID = "foci-1" })
    try refuse(#""suberror":"client_mismatch""#)
    try needsSignIn(request)
    bench.clock.advance(seconds: 3601)
    let count = bench.transport.requests.count
    try needsSignIn(request)
    #expect(bench.transport.requests.count == count)
    #expect(try bench.application().accounts().isEmpty)
  }

  @Test func `where the own sign-in is refused, a newer one of the older library serves`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try bench.take(bench.left())
    try refuse(#""suberror":"basic_action""#)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    #expect(bench.refreshes == 2)
    // Its refresh token has taken the place of the one that was refused.
    bench.clock.advance(seconds: 3601)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    #expect(bench.refreshes == 3)
  }

  @Test func `it serves as well while the refusal is remembered`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try bench.take(bench.left { $0.refreshToken = Secret("revoked") })
    try refuse(#""suberror":"basic_action""#)
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(forced) }
    #expect(error?.remedy == .signIn && error?.suberror == "basic_action")
    #expect(bench.refreshes == 2)
    try bench.take(bench.left())
    #expect(try application.explain(forced).decision == .refresh)
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }

  @Test func `what brought the sign-in is not shown in its place`() throws {
    try bench.take(bench.left())
    let application = try bench.application()
    _ = try application.acquireTokenSilent(request)
    try refuse(#""suberror":"basic_action""#)
    try needsSignIn(forced)
    #expect(bench.refreshes == 2)
  }

  @Test func `who signs out while the token is on its way is not signed in again`() throws {
    let item = try bench.left()
    try bench.take(item)
    let store = bench.store
    let interruption = Interruption(network: bench.transport) {
      let all = LegacyPerson(homeAccountID: nil)
      let signOut = LegacyAccountRecord.Change.signOut(all, clientID: nil)
      try? store.commit(CacheChange([.legacy(name: item.userID, signOut)]), within: .none)
    }
    let application = try bench.application(transport: interruption)
    let result = try application.acquireTokenSilent(request)
    #expect(!result.isPersisted && !result.warnings.isEmpty)
    #expect(try application.accounts().isEmpty)
  }
}
