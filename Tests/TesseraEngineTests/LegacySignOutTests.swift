// SPDX-License-Identifier: MIT
// Accounts that only an older library signed in: what a sign-out removes and counts, and who is current.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacySignOutTests {
  private let bench = TestBench()

  private func nameless(_ change: (inout LegacyItem) -> Void = { _ in }) throws -> LegacyItem {
    try bench.left { item in
      item.claims = nil
      change(&item)
    }
  }

  @Test func `a sign-out counts what an older library left, and has it revoked`() throws {
    let item = try nameless()
    var other = item
    other.resource = "https://graph.microsoft.com"
    try bench.take(item, other, nameless { $0.refreshToken = Secret("another token") })
    let application = try bench.application()
    var request = SignOutRequest(account: try #require(try application.accounts().first))
    request.revokesTokens = true
    let report = try application.signOut(request)
    // One token for two resources is one.
    #expect(report.removed.refreshTokens == 2)
    #expect(report.revocations.map(\.clientID) == ["client", "client"])
    #expect(report.removed.accounts == 0 && report.removed.accessTokens == 0)
    #expect(report.remaining.contains { $0.kind == .unrevokedTokens })
    #expect(try application.signOut(request).removed.refreshTokens == 0)
  }

  @Test(arguments: SignOutScope.allCases)
  func `every kind of sign-out counts it`(_ scope: SignOutScope) throws {
    try bench.take(nameless())
    let application = try bench.application()
    var request = SignOutRequest(scope: scope)
    request.username = scope == .machine ? nil : LocalUser.alice.username
    #expect(try application.signOut(request).removed.refreshTokens == 1)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `after the upgrade both tokens are counted, each once`() throws {
    let item = try bench.left()
    try bench.take(item)
    let application = try bench.application()
    var silent = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    silent.username = item.userID
    let account = try application.acquireTokenSilent(silent).account
    let report = try application.signOut(SignOutRequest(account: account))
    #expect(report.removed.refreshTokens == 2)
  }

  @Test func `what another application of the family left does not bring back who signed out`()
    throws
  {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let family = try bench.left(client: "foci-1") { $0.claims = nil }
    let own = try nameless()
    try bench.take(own, family)
    let application = try bench.application()
    let account = try #require(try application.accounts().first)
    try application.removeAccount(account)
    #expect(try application.accounts().isEmpty)
    var silent = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    silent.username = own.userID
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(silent) }
    // Another member of the family still has it; and a newer token of the application's own is a new sign-in.
    #expect(try bench.application(client: "sibling").accounts().count == 1)
    try bench.take(nameless { $0.refreshToken = Secret("newer") })
    #expect(try application.accounts().count == 1)
  }

  @Test func `an account that was listed before the upgrade is removed as what it is now`() throws {
    let item = try bench.left { $0.userID = "former@contoso.example" }
    try bench.take(item)
    let application = try bench.application()
    let listed = try #require(try application.accounts().first)
    _ = try application.acquireTokenSilent(SilentRequest(account: listed, scopes: ["user.read"]))
    #expect(try application.removeAccount(listed))
    #expect(try application.accounts().isEmpty)
    #expect(try application.removeAccount(listed) == false)
  }

  @Test func `of two people with one address the other one stays`() throws {
    let alice = try bench.left()
    try bench.take(alice, bench.left(.bob) { $0.userID = alice.userID })
    let application = try bench.application()
    let both = try application.accounts()
    try application.removeAccount(try #require(both.first))
    #expect(try application.accounts() == Array(both.dropFirst()))
    _ = try application.signOut(SignOutRequest(account: try #require(both.last)))
    #expect(try application.accounts().isEmpty)
  }

  @Test func `when one of two people with one address signs out, the other's token stays`() throws {
    let alice = try bench.left()
    let bob = try bench.left(.bob) { $0.userID = alice.userID }
    try bench.take(alice)
    let application = try bench.application()
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = alice.userID
    let account = try application.acquireTokenSilent(request).account
    try bench.take(bob)
    try application.removeAccount(account)
    #expect(try application.accounts().count == 1)
    #expect(try application.acquireTokenSilent(request).account.username == LocalUser.bob.username)
  }

  @Test func `who is current without an identifier is written once`() throws {
    try bench.take(bench.left())
    let application = try bench.application()
    let first = try application.currentAccount()
    #expect(first.account?.homeAccountID.isEmpty == true && first.previousAccount == nil)
    let version = try bench.store.snapshot(SnapshotSelection(), within: .none).version
    let again = try bench.application().currentAccount()
    #expect(again.account == first.account && again.previousAccount == first.account)
    #expect(try bench.store.snapshot(SnapshotSelection(), within: .none).version == version)
  }

  @Test func `who is current is the same person with the identifier, also under another name`()
    throws
  {
    try bench.take(bench.left { $0.userID = "former@contoso.example" })
    let application = try bench.application()
    let listed = try #require(try application.currentAccount().account)
    let account = try application.acquireTokenSilent(
      SilentRequest(account: listed, scopes: ["user.read"])
    ).account
    #expect(
      try application.currentAccount() == CurrentAccount(account: account, previousAccount: account)
    )
  }

  @Test func `of somebody without an identifier who is gone the name is left`() throws {
    try bench.take(bench.left())
    let application = try bench.application()
    let account = try #require(try application.currentAccount().account)
    try application.removeAccount(account)
    let current = try application.currentAccount()
    #expect(current.account == nil && current.previousAccount?.username == account.username)
    #expect(try application.currentAccount().previousAccount == nil)
  }
}
