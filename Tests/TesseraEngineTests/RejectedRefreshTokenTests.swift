// SPDX-License-Identifier: MIT
// Rejected refresh tokens: the effect of each suberror on the stored records.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RejectedRefreshTokenTests {
  private let bench = TestBench()

  private func refuse(_ suberror: String) throws {
    let body = #"{"error":"invalid_grant","suberror":"\#(suberror)"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
  }

  private func forced(_ account: Account) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    return request
  }

  @Test func `user_account_deleted removes the application's records of the account`() throws {
    let application = try bench.application()
    let other = try bench.application(client: "other")
    let account = try bench.signIn(application).account
    try bench.signIn(other)
    try refuse("user_account_deleted")
    expect(.refreshTokenRejected) { _ = try application.acquireTokenSilent(forced(account)) }
    #expect(try application.accounts().isEmpty)
    let explanation = try application.explain(forced(account))
    #expect(explanation.decision == .signIn)
    #expect(explanation.candidates.allSatisfy { $0.obstacles.contains(.otherApplication) })
    #expect(try other.acquireTokenSilent(forced(account)).source == .network)
    try bench.signIn(application)
    #expect(try application.acquireTokenSilent(forced(account)).source == .network)
  }

  @Test(arguments: ["basic_action", "consent_required", "message_only", ""])
  func `other suberrors remove nothing`(_ suberror: String) throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    try refuse(suberror)
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(forced(account))
    }
    #expect(error?.remedy == .signIn)
    let plain = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(plain).source == .cache)
    bench.clock.advance(seconds: 120)
    #expect(try application.acquireTokenSilent(forced(account)).source == .network)
  }

  @Test func `client_mismatch clears the family in all records of the cloud`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let account = try bench.signIn(bench.application(client: "sibling")).account
    let otherClient = try bench.application()
    let hosts = try otherClient.explain(forced(account)).environments
    let old = hosts.map { host in
      CacheChange.Step.put(
        .appMetadata(AppMetadataRecord(clientID: "client", environment: host, familyID: "1")))
    }
    try bench.store.commit(CacheChange(old), within: .none)
    try refuse("client_mismatch")
    expect(.refreshTokenRejected) { _ = try otherClient.acquireTokenSilent(forced(account)) }
    let requests = bench.provider.counts.requests
    expect(.interactionRequired) { _ = try otherClient.acquireTokenSilent(forced(account)) }
    #expect(bench.provider.counts.requests == requests)
  }
}
