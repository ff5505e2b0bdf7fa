// SPDX-License-Identifier: MIT
// A rejected token response with a refresh token: neither the old nor the new token is sent afterwards.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

#if TesseraLegacy
  import TesseraLegacy
#endif
#if TesseraMSALFile
  import TesseraMSALFile
#endif

@Suite struct RejectedResponseTests {
  typealias Fault = RefusingTransport.Fault
  typealias ReplacementToken = RefusingTransport.Successor

  private let bench = TestBench()

  private func forced(_ account: Account) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    return request
  }

  private func refreshTokens() throws -> [CredentialRecord] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try bench.store.snapshot(selection, within: .none).credentials
      .filter(\.type.isRefreshToken)
  }

  private func isSent(_ secret: String) -> Bool {
    bench.transport.requests.contains {
      String(decoding: $0.body, as: UTF8.self).contains(secret)
    }
  }

  /// Signs in, and makes one refresh fail with a rejected response.
  private func accountAfterRejection(
    _ fault: Fault, _ successor: ReplacementToken = .new, issuer: String? = "main"
  ) throws -> Account {
    let account = try bench.signIn(bench.application(issuer: issuer)).account
    let unlucky = try bench.application(
      issuer: issuer,
      transport: RefusingTransport(network: bench.transport, fault: fault, successor: successor))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    return account
  }

  @Test(arguments: Fault.allCases)
  func `after a rejected response with a new refresh token, the user must sign in`(
    _ fault: Fault
  ) throws {
    let account = try accountAfterRejection(fault)
    let sent = bench.transport.requests.count
    for _ in 0..<2 {
      // Each application represents a process that shares only the store.
      let error = #expect(throws: TesseraError.self) {
        try bench.application(issuer: "main").acquireTokenSilent(forced(account))
      }
      #expect(error?.remedy == .signIn)
      #expect(error?.message.contains("rotated") == true)
    }
    #expect(bench.transport.requests.count == sent)
    #expect(!isSent("SUCCESSOR"))
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test(arguments: Fault.allCases)
  func `a refresh token in a rejected response replaces nothing`(_ fault: Fault) throws {
    let account = try bench.signIn(bench.application(issuer: "main")).account
    let before = try refreshTokens().map(\.secret)
    let unlucky = try bench.application(
      issuer: "main", transport: RefusingTransport(network: bench.transport, fault: fault))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    let after = try refreshTokens()
    #expect(after.map(\.secret) == before)
    #expect(after.map { $0.members["tessera_unverified"]?.string } == ["SUCCESSOR"])
    // Other libraries read the record as before.
    let plain = after.map { $0.members.members.filter { !$0.name.hasPrefix("tessera_") } }
    #expect(plain.allSatisfy { $0.contains { $0.name == "secret" } })
  }

  @Test(arguments: Fault.allCases)
  func `a cached access token remains usable`(_ fault: Fault) throws {
    let account = try accountAfterRejection(fault)
    var request = forced(account)
    request.forcesRefresh = false
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(request).source == .cache)
    #expect(try other.accounts().map(\.homeAccountID) == [account.homeAccountID])
  }

  @Test(arguments: Fault.allCases)
  func `after a new sign-in, refreshes succeed`(_ fault: Fault) throws {
    let account = try accountAfterRejection(fault)
    try bench.signIn(bench.application(issuer: "main"))
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(!isSent("SUCCESSOR"))
  }

  @Test(arguments: Fault.allCases, [ReplacementToken.same, .none])
  func `a refresh token that the server kept is sent again`(
    _ fault: Fault, _ successor: ReplacementToken
  ) throws {
    try bench.provider.perform(.set([.rotation(false)]))
    let account = try accountAfterRejection(fault, successor)
    let other = try bench.application(issuer: "main")
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    #expect(try refreshTokens().allSatisfy { $0.members["tessera_unverified"] == nil })
  }

  @Test func `every copy of the token in a family is marked as replaced`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let account = try accountAfterRejection(.otherAudience, issuer: nil)
    #expect(try refreshTokens().count == 2)
    let sent = bench.transport.requests.count
    for client in ["client", "sibling"] {
      expect(.interactionRequired) {
        _ = try bench.application(client: client).acquireTokenSilent(forced(account))
      }
    }
    #expect(bench.transport.requests.count == sent)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  /// Signs out with revocation; returns the report and the bodies that were sent.
  private func signOut(_ account: Account) throws -> (SignOutReport, [String]) {
    let sent = bench.transport.requests.count
    var request = SignOutRequest(account: account)
    request.revokesTokens = true
    let report = try bench.application(issuer: "main").signOut(request)
    let bodies = bench.transport.requests.dropFirst(sent)
      .map { String(decoding: $0.body, as: UTF8.self) }
    return (report, bodies)
  }

  @Test func `a sign-out revokes the replaced token and the unverified one`() throws {
    let account = try accountAfterRejection(.otherIssuer)
    let old = try #require(try refreshTokens().first).secret.reveal()
    let (report, bodies) = try signOut(account)
    for token in [old, "SUCCESSOR"] { #expect(bodies.contains { $0.contains(token) }) }
    #expect(bench.provider.counts.revocations == 2)
    #expect(report.revocations.map { $0.error == nil } == [true, true])
    #expect(!report.remaining.contains { $0.kind == .unrevokedTokens })
    #expect(try refreshTokens().isEmpty)
  }

  @Test func `without a network a sign-out reports both tokens as not revoked`() throws {
    let account = try accountAfterRejection(.otherIssuer)
    bench.transport.network = .down
    let (report, _) = try signOut(account)
    #expect(report.revocations.map(\.error?.code) == [.networkFailed, .networkFailed])
    #expect(report.remaining.contains { $0.kind == .unrevokedTokens })
  }

  @Test func `explain names the replaced token`() throws {
    let account = try accountAfterRejection(.otherIssuer)
    let explanation = try bench.application(issuer: "main").explain(forced(account))
    #expect(explanation.decision == .signIn)
    let tokens = explanation.candidates.filter { $0.obstacles.contains(.superseded) }
    #expect(tokens.count == 1)
  }

  #if TesseraMSALFile && TesseraLegacy
    @Test func `no other library gets the replaced token or the unverified one`() throws {
      try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
      let account = try accountAfterRejection(.otherAudience, issuer: nil)
      let application = try bench.application()
      let old = try #require(try refreshTokens().first).secret.reveal()
      let document = try application.readCache()
      #expect(document.contains(account.homeAccountID))
      for token in [old, "SUCCESSOR"] { #expect(!document.contains(token)) }
      for format in ExportRequest.Format.allCases {
        expect(.accountNotFound) {
          _ = try application.exportSignIns(ExportRequest(format: format))
        }
      }
    }
  #endif

  @Test func `another record with the same token is not sent either`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let account = try accountAfterRejection(.otherAudience, issuer: nil)
    // As another library may write it.
    var copy = try #require(try refreshTokens().first { $0.familyID == nil })
    copy["tessera_superseded"] = nil
    try bench.store.commit(CacheChange([.put(.credential(copy))]), within: .none)
    let sent = bench.transport.requests.count
    expect(.interactionRequired) {
      _ = try bench.application().acquireTokenSilent(forced(account))
    }
    #expect(bench.transport.requests.count == sent)
  }

  @Test func `a copy of the store knows that the token was replaced`() throws {
    let account = try bench.signIn(bench.application(issuer: "main")).account
    let copy = try bench.application(issuer: "main", store: MemoryStore(time: bench.clock))
    try copy.copy(from: bench.application(issuer: "main"))
    let unlucky = try bench.application(
      issuer: "main", transport: RefusingTransport(network: bench.transport, fault: .otherIssuer))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    try copy.copy(from: bench.application(issuer: "main"))
    let sent = bench.transport.requests.count
    expect(.interactionRequired) { _ = try copy.acquireTokenSilent(forced(account)) }
    #expect(bench.transport.requests.count == sent)
    // And it replaces no token in a store where the user has signed in again.
    try bench.signIn(copy)
    try copy.copy(from: bench.application(issuer: "main"))
    #expect(try copy.acquireTokenSilent(forced(account)).source == .network)
  }

  @Test func `a rejected refresh while the token is valid returns the token`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 60)]))
    let account = try bench.signIn(bench.application()).account
    bench.clock.advance(seconds: 120)
    var request = forced(account)
    request.forcesRefresh = false
    let unlucky = try bench.application(
      transport: RefusingTransport(network: bench.transport, fault: .otherIssuer))
    let result = try unlucky.acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(result.refreshError?.code == .issuerMismatch)
    let sent = bench.transport.requests.count
    #expect(try bench.application().acquireTokenSilent(request).source == .cache)
    #expect(bench.transport.requests.count == sent)
    bench.clock.advance(seconds: 4000)
    expect(.interactionRequired) {
      _ = try bench.application().acquireTokenSilent(request)
    }
    #expect(bench.transport.requests.count == sent)
  }

  #if TesseraLegacy
    @Test func `a legacy token is not sent after its rejected rotation`() throws {
      let bench = TestBench()
      try bench.importItems(bench.legacyItem())
      var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
      request.username = LocalUser.alice.username
      let unlucky = try bench.application(
        transport: RefusingTransport(network: bench.transport, fault: .otherIssuer))
      #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(request) }
      let sent = bench.transport.requests.count
      let error = #expect(throws: TesseraError.self) {
        try bench.application().acquireTokenSilent(request)
      }
      #expect(error?.remedy == .signIn)
      #expect(bench.transport.requests.count == sent)
      #expect(bench.provider.counts.refreshTokenReuses == 0)
      // Both tokens are known to a sign-out.
      var signOut = SignOutRequest(scope: .machine)
      signOut.revokesTokens = true
      #expect(try bench.application().signOut(signOut).revocations.count == 2)
    }
  #endif

  #if TesseraLegacy
    @Test
    func `a token that an older library left is not sent again when its successor is rejected`()
      throws
    {
      let bench = TestBench()
      try bench.importItems(bench.legacyItem())
      let application = try bench.application()
      let account = try application.acquireTokenSilent(bench.request(named: .alice)).account
      let body = #"{"error":"invalid_grant","suberror":"bad_token"}"#
      try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
      for _ in 0..<2 {
        let error = #expect(throws: TesseraError.self) {
          try bench.application().acquireTokenSilent(forced(account))
        }
        #expect(error?.remedy == .signIn)
      }
      #expect(bench.refreshes == 2)
      #expect(bench.provider.counts.refreshTokenReuses == 0)
    }
  #endif
}
