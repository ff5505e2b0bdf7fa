// SPDX-License-Identifier: MIT
// Applications of a token family: no member sends a refresh token that another member has redeemed.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct TokenFamilyTests {
  private let bench = TestBench()

  init() throws {
    try bench.provider.perform(.set([.familyClients(["office", "teams", "excel"])]))
  }

  private func forced(_ account: Account) -> SilentRequest {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = true
    return request
  }

  /// Signs in one member, so that its own record and that of the family have the same token.
  private func signedIn() throws -> Account {
    try bench.signIn(bench.application(client: "office")).account
  }

  /// The refresh tokens in the store, with the applications of the records without a family.
  private func refreshTokens() throws -> [(client: String?, secret: Secret)] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try bench.store.snapshot(selection, within: .none).credentials
      .filter(\.type.isRefreshToken).map { ($0.familyID == nil ? $0.clientID : nil, $0.secret) }
  }

  @Test func `a member does not send a refresh token that another member redeemed`() throws {
    let account = try signedIn()
    for client in ["teams", "office", "excel", "teams", "office"] {
      let application = try bench.application(client: client)
      #expect(try application.acquireTokenSilent(forced(account)).source == .network)
    }
    #expect(bench.provider.counts.refreshTokenReuses == 0)
    #expect(Set(try refreshTokens().map(\.secret)).count == 1)
  }

  @Test func `after a rejected response to one member, no member sends the redeemed token`() throws
  {
    let account = try signedIn()
    let teams = try bench.application(client: "teams")
    #expect(try teams.acquireTokenSilent(forced(account)).source == .network)
    let unlucky = try bench.application(
      client: "teams",
      transport: RefusingTransport(network: bench.transport, fault: .otherAudience))
    #expect(throws: TesseraError.self) { try unlucky.acquireTokenSilent(forced(account)) }
    let sent = bench.transport.requests.count
    for client in ["office", "teams", "excel"] {
      expect(.interactionRequired) {
        _ = try bench.application(client: client).acquireTokenSilent(forced(account))
      }
    }
    #expect(bench.transport.requests.count == sent)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a token that only one application can use replaces no other record`() throws {
    let account = try signedIn()
    let leaving = EditedTransport(network: bench.transport) { _, response in
      response.without("foci")
    }
    let teams = try bench.application(client: "teams", transport: leaving)
    let result = try teams.acquireTokenSilent(forced(account))
    #expect(result.isPersisted && result.warnings.isEmpty)
    #expect(try refreshTokens().map(\.client) == ["teams"])
    expect(.interactionRequired) {
      _ = try bench.application(client: "office").acquireTokenSilent(forced(account))
    }
    #expect(try teams.acquireTokenSilent(forced(account)).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `a token that the server keeps remains in all records`() throws {
    try bench.provider.perform(.set([.rotation(false)]))
    let account = try signedIn()
    let before = try refreshTokens().map(\.secret)
    for client in ["teams", "office"] {
      let application = try bench.application(client: client)
      #expect(try application.acquireTokenSilent(forced(account)).source == .network)
    }
    #expect(before.count == 2 && bench.refreshes == 2)
  }

  @Test func `two members do not send the same token at the same time`() throws {
    let account = try signedIn()
    let office = try bench.application(client: "office")
    let teams = try bench.application(client: "teams")
    bench.transport.latencyNanoseconds = 2_000_000_000
    let error = SpinLock<TesseraError?>(nil)
    bench.clock.schedule(after: .seconds(1)) { [request = forced(account)] in
      // The lock cannot become free while this call waits on the same thread.
      var request = request
      request.timeout = .milliseconds(500)
      do throws(TesseraError) {
        _ = try teams.acquireTokenSilent(request)
      } catch let failure {
        error.withLock { $0 = failure }
      }
    }
    #expect(try office.acquireTokenSilent(forced(account)).isPersisted)
    #expect(error.withLock { $0?.code } == .storeBusy)
    #expect(bench.refreshes == 1)
    bench.transport.latencyNanoseconds = 0
    #expect(try teams.acquireTokenSilent(forced(account)).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `the warning about a removed refresh token does not report a sign-out`() throws {
    let account = try signedIn()
    let removing = WatchedTransport(network: bench.transport) { [store = bench.store] _ in
      var selection = SnapshotSelection()
      selection.everything = true
      let tokens = try? store.snapshot(selection, within: .none).credentials
        .filter(\.type.isRefreshToken)
      // As another process does after the server has rejected the token.
      _ = try? store.commit(
        CacheChange((tokens ?? []).map(CacheChange.Step.removeIfUnchanged)), within: .none)
    }
    let office = try bench.application(client: "office", transport: removing)
    let result = try office.acquireTokenSilent(forced(account))
    #expect(!result.isPersisted)
    #expect(result.warnings.count == 1)
    #expect(!result.warnings.contains { $0.contains("signed out") })
  }
}
