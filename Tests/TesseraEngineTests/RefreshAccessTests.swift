// SPDX-License-Identifier: MIT
// The accesses of a refresh to the store and to the server: two reads, one commit and one request.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RefreshAccessTests {
  private let bench = TestBench(origin: "https://login.microsoftonline.com")
  private let store: CountingStore

  init() {
    store = CountingStore(bench.store)
  }

  /// Returns a request for an account with an expired token, and the application that signed it in.
  private func expired(
    _ issuer: String?
  ) throws -> (request: SilentRequest, application: PublicClientApplication) {
    let application = try bench.application(issuer: issuer, store: store)
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    return (SilentRequest(account: account, scopes: ["user.read"]), application)
  }

  /// Makes a silent call, and requires two reads, one commit and one request.
  private func refresh(
    _ request: SilentRequest, with application: PublicClientApplication
  ) throws -> TokenResult {
    let (reads, commits) = (store.readCount, store.commitCount)
    let requests = bench.transport.requests.count
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(store.readCount - reads == 2)
    #expect(store.commitCount - commits == 1)
    #expect(bench.transport.requests.count - requests == 1)
    return result
  }

  @Test(arguments: [nil, "main"])
  func `a refresh reads twice, commits once and sends one request`(_ issuer: String?) throws {
    let (request, application) = try expired(issuer)
    #expect(try refresh(request, with: application).isPersisted)
  }

  @Test(arguments: [nil, "main"])
  func `a refresh of a new process reads a recorded discovery document with the tokens`(
    _ issuer: String?
  ) throws {
    let (request, _) = try expired(issuer)
    let process = try bench.application(issuer: issuer, store: store)
    #expect(try refresh(request, with: process).isPersisted)
  }

  @Test func `a sign-out during the request is determined by the commit`() throws {
    let (request, application) = try expired(nil)
    let account = try #require(try application.accounts().first)
    bench.transport.latencyNanoseconds = 2_000_000_000
    let other = try bench.application()
    bench.clock.schedule(after: .seconds(1)) { _ = try? other.removeAccount(account) }
    let result = try refresh(request, with: application)
    #expect(!result.isPersisted)
    #expect(
      result.warnings == [
        "The account signed out while its token was being refreshed: sign in again."
      ])
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    #expect(try bench.store.snapshot(selection, within: .none).credentials.isEmpty)
  }
}
