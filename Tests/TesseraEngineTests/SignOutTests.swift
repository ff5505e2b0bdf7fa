// SPDX-License-Identifier: MIT
// Sign-out: removed and remaining tokens for each scope, and the requests to the provider.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SignOutTests {
  private let bench = TestBench()

  private func kinds(_ report: SignOutReport) -> [SignOutReport.LeftoverToken.Kind] {
    report.remaining.map(\.kind)
  }

  private func records(of account: Account) throws -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    return try bench.store.snapshot(selection, within: .none).records.filter {
      if case .accountMetadata = $0 { false } else { true }
    }
  }

  @Test func `a sign-out from one application keeps and reports the others`() throws {
    let mine = try bench.application(client: "mine")
    let other = try bench.application(client: "other")
    let account = try bench.signIn(mine).account
    try bench.signIn(other)
    bench.transport.network = .down
    let report = try mine.signOut(SignOutRequest(account: account))
    #expect(report.removed.accessTokens == 1)
    #expect(report.removed.refreshTokens == 1)
    #expect(report.removed.idTokens == 1)
    #expect(report.removed.accounts == 0)
    #expect(
      kinds(report) == [
        .otherApplication, .handedOutTokens, .unrevokedTokens, .browserSession,
      ])
    #expect(report.remaining.first?.clientID == "other")
    #expect(try mine.accounts().isEmpty)
    #expect(try other.accounts() == [account])
  }

  @Test func `a sign-out from all applications removes the account for each`() throws {
    let mine = try bench.application(client: "mine")
    let other = try bench.application(client: "other")
    let account = try bench.signIn(mine).account
    try bench.signIn(other)
    let bob = try bench.signIn(other, as: .bob).account
    bench.transport.network = .down
    var request = SignOutRequest(scope: .everyApplication)
    request.homeAccountID = account.homeAccountID
    let report = try mine.signOut(request)
    #expect(report.removed.refreshTokens == 2)
    #expect(report.removed.accounts == 1)
    #expect(try records(of: account).isEmpty)
    #expect(try other.accounts() == [bob])
    let silent = SilentRequest(account: account, scopes: ["user.read"])
    for application in [mine, other] {
      expect(.interactionRequired) { _ = try application.acquireTokenSilent(silent) }
    }
    bench.transport.network = .up
    try bench.signIn(mine)
    // The other application is signed out too. The new sign-in does not include it.
    #expect(try other.accounts() == [bob])
  }

  @Test func `a sign-out from the machine empties the store, without network`() throws {
    let mine = try bench.application(client: "mine")
    let other = try bench.application(client: "other", issuer: "main")
    let alice = try bench.signIn(mine).account
    let bob = try bench.signIn(other, as: .bob).account
    bench.transport.network = .down
    let report = try mine.signOut(SignOutRequest(scope: .machine))
    #expect(report.removed.refreshTokens == 2)
    #expect(report.removed.accessTokens == 2)
    #expect(report.removed.accounts == 2)
    for account in [alice, bob] { #expect(try records(of: account).isEmpty) }
    #expect(try mine.accounts().isEmpty && other.accounts().isEmpty)
    let silent = SilentRequest(account: bob, scopes: ["user.read"])
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(silent) }
  }

  @Test func `a failure after the removal is reported as a warning`() throws {
    let busy = TesseraError(.retryLater, .storeBusy, "Another process holds the store.")
    let store = FailingStore(bench.store) { call throws(TesseraError) in
      if call == .deleteQuarantined { throw busy }
    }
    let application = try bench.application(store: store)
    try bench.signIn(application)
    let report = try application.signOut(SignOutRequest(scope: .machine))
    #expect(report.removed.refreshTokens == 1)
    #expect(report.warnings.contains { $0.contains(busy.message) })
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a sign-out cancelled before the commit removes nothing`() throws {
    let cancellation = Cancellation()
    let counting = CountingStore(bench.store)
    let store = FailingStore(counting) { call throws(TesseraError) in
      if call == .snapshot { cancellation.cancel() }
    }
    let account = try bench.signIn(try bench.application()).account
    var request = SignOutRequest(account: account)
    let application = try bench.application(store: store)
    expect(.cancelled) { _ = try application.signOut(request, cancellation: cancellation) }
    request.timeout = .milliseconds(0)
    expect(.deadlineExceeded) { _ = try bench.application().signOut(request) }
    #expect(counting.commitCount == 0)
    #expect(try bench.application().accounts() == [account])
  }

  @Test(arguments: [SignOutScope.application, .everyApplication])
  func `if the store is unreadable, only tokens that are not shared are revoked`(
    _ scope: SignOutScope
  ) throws {
    let isCommitted = Mutex(false)
    let store = FailingStore(bench.store) { call throws(TesseraError) in
      let fails = isCommitted.withLock { committed in
        defer { committed = committed || call == .commit }
        return committed && call == .snapshot
      }
      if fails { throw TesseraError(.retryLater, .storeBusy, "Another process holds the store.") }
    }
    let account = try bench.signIn(try bench.application(issuer: "main")).account
    let other = try bench.application(client: "other", issuer: "main")
    try bench.signIn(other)
    var request = SignOutRequest(account: account)
    request.scope = scope
    request.revokesTokens = true
    let report = try bench.application(issuer: "main", store: store).signOut(request)
    #expect(report.warnings.contains { $0.hasPrefix("The account is signed out, but") })
    #expect(report.removed.refreshTokens == (scope == .application ? 1 : 2))
    #expect(bench.provider.counts.revocations == report.removed.refreshTokens)
    #expect(try bench.application(issuer: "main").accounts().isEmpty)
    #expect(try other.accounts().isEmpty == (scope == .everyApplication))
  }

  @Test func `a refresh token is revoked, and the end-session URL is returned`() throws {
    let application = try bench.application(issuer: "main")
    let token = try bench.signIn(application)
    var request = SignOutRequest(account: token.account)
    request.revokesTokens = true
    request.wantsEndSessionURL = true
    request.postLogoutRedirectURI = "https://app.example/bye?x=1"
    let report = try application.signOut(request)
    #expect(bench.provider.counts.revocations == 1)
    #expect(report.revocations.count == 1)
    #expect(report.revocations.first?.error == nil)
    #expect(kinds(report) == [.handedOutTokens, .browserSession])
    #expect(
      report.endSessionURL == bench.provider.issuer("main")
        + "/logout?id_token_hint=\(token.idToken?.reveal() ?? "")&client_id=client&logout_hint=alice%40contoso.com"
        + "&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye%3Fx%3D1")
    #expect(report.warnings.isEmpty)
  }

  @Test func `a provider without revocation is reported, not an error`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var request = SignOutRequest(account: account)
    request.revokesTokens = true
    let report = try application.signOut(request)
    #expect(report.revocations.map(\.error?.code) == [.flowUnsupported])
    #expect(kinds(report).contains(.unrevokedTokens))
    #expect(try application.accounts().isEmpty)
  }

  @Test func `without network, the local tokens are removed`() throws {
    let application = try bench.application(issuer: "main")
    let account = try bench.signIn(application).account
    bench.transport.network = .down
    var request = SignOutRequest(account: account)
    request.revokesTokens = true
    let report = try application.signOut(request)
    #expect(report.revocations.map(\.error?.code) == [.networkFailed])
    #expect(report.removed.refreshTokens == 1)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `an unknown account is not an error, but a missing account is`() throws {
    let application = try bench.application()
    var request = SignOutRequest()
    expect(.missingParameter) { _ = try application.signOut(request) }
    request.homeAccountID = "x.y"
    let report = try application.signOut(request)
    #expect(report.accounts.isEmpty && report.removed.refreshTokens == 0)
    #expect(report.warnings.count == 1)
  }

  @Test func `the family refresh token is kept until the last member signs out`() throws {
    try bench.provider.perform(.set([.familyClients(["office", "teams"])]))
    let office = try bench.application(client: "office")
    let teams = try bench.application(client: "teams")
    let account = try bench.signIn(office).account
    let silent = SilentRequest(account: account, scopes: ["user.read"])
    // Teams is the last application that wrote the family token.
    #expect(try teams.acquireTokenSilent(silent).source == .network)
    let report = try teams.signOut(SignOutRequest(account: account))
    #expect(kinds(report).contains(.familyToken))
    expect(.interactionRequired) { _ = try teams.acquireTokenSilent(silent) }
    #expect(try office.accounts() == [account])
    #expect(try office.signOut(SignOutRequest(account: account)).removed.refreshTokens == 2)
    #expect(try records(of: account).isEmpty)
  }
}
