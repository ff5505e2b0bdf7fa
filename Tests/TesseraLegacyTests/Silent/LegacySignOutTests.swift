// SPDX-License-Identifier: MIT
// Accounts known only from an older library: sign-out, revocation and the current account.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacySignOutTests {
  private let bench = TestBench()

  private func nameless(_ change: (inout LegacyItem) -> Void = { _ in }) throws -> LegacyItem {
    try bench.legacyItem { item in
      item.claims = nil
      change(&item)
    }
  }

  @Test func `a sign-out counts and revokes the tokens of older libraries`() throws {
    let item = try nameless()
    var other = item
    other.resource = "https://graph.microsoft.com"
    try bench.importItems(item, other, nameless { $0.refreshToken = Secret("another token") })
    let application = try bench.application()
    var request = SignOutRequest(account: try #require(try application.accounts().first))
    request.revokesTokens = true
    let report = try application.signOut(request)
    // One token for two resources is counted once.
    #expect(report.removed.refreshTokens == 2)
    #expect(report.revocations.map(\.clientID) == ["client", "client"])
    #expect(report.removed.accounts == 0 && report.removed.accessTokens == 0)
    #expect(report.remaining.contains { $0.kind == .unrevokedTokens })
    #expect(try application.signOut(request).removed.refreshTokens == 0)
  }

  @Test(arguments: SignOutScope.allCases)
  func `every sign-out scope removes and counts the legacy token`(_ scope: SignOutScope) throws {
    try bench.importItems(nameless())
    let application = try bench.application()
    var request = SignOutRequest(scope: scope)
    request.username = scope == .machine ? nil : LocalUser.alice.username
    #expect(try application.signOut(request).removed.refreshTokens == 1)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `an account without an ID is signed out by its user name`() throws {
    try bench.importItems(nameless())
    let request = SignOutRequest(homeAccountID: "", username: LocalUser.alice.username)
    #expect(try bench.application().signOut(request).removed.refreshTokens == 1)
  }

  @Test func `an account with an ID is signed out even if its user name has changed`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let request = SignOutRequest(
      homeAccountID: account.homeAccountID, username: "old@contoso.com")
    #expect(try application.signOut(request).removed.refreshTokens == 1)
  }

  @Test func `after a redemption, both refresh tokens are counted once`() throws {
    let item = try bench.legacyItem()
    try bench.importItems(item)
    let application = try bench.application()
    var silent = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    silent.username = item.userID
    let account = try application.acquireTokenSilent(silent).account
    let report = try application.signOut(SignOutRequest(account: account))
    #expect(report.removed.refreshTokens == 2)
  }

  @Test func `a family token does not sign in a signed-out account again`()
    throws
  {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let family = try bench.legacyItem(client: "foci-1") { $0.claims = nil }
    let own = try nameless()
    try bench.importItems(own, family)
    let application = try bench.application()
    let account = try #require(try application.accounts().first)
    try application.removeAccount(account)
    #expect(try application.accounts().isEmpty)
    var silent = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    silent.username = own.userID
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(silent) }
    // Another member of the family still has the token. A newer token of the application itself is a new sign-in.
    #expect(try bench.application(client: "sibling").accounts().count == 1)
    try bench.importItems(nameless { $0.refreshToken = Secret("newer") })
    #expect(try application.accounts().count == 1)
  }

  @Test func `an account listed before the redemption can be removed after it`() throws {
    let item = try bench.legacyItem { $0.userID = "former@contoso.example" }
    try bench.importItems(item)
    let application = try bench.application()
    let listed = try #require(try application.accounts().first)
    _ = try application.acquireTokenSilent(SilentRequest(account: listed, scopes: ["user.read"]))
    #expect(try application.removeAccount(listed))
    #expect(try application.accounts().isEmpty)
    #expect(try application.removeAccount(listed) == false)
  }

  @Test func `removing one of two accounts with the same name keeps the other`() throws {
    let alice = try bench.legacyItem()
    try bench.importItems(alice, bench.legacyItem(.bob) { $0.userID = alice.userID })
    let application = try bench.application()
    let both = try application.accounts()
    try application.removeAccount(try #require(both.first))
    #expect(try application.accounts() == Array(both.dropFirst()))
    _ = try application.signOut(SignOutRequest(account: try #require(both.last)))
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a sign-out after the redemption keeps the token of another account`() throws {
    let alice = try bench.legacyItem()
    let bob = try bench.legacyItem(.bob) { $0.userID = alice.userID }
    try bench.importItems(alice)
    let application = try bench.application()
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = alice.userID
    let account = try application.acquireTokenSilent(request).account
    try bench.importItems(bob)
    try application.removeAccount(account)
    #expect(try application.accounts().count == 1)
    #expect(try application.acquireTokenSilent(request).account.username == LocalUser.bob.username)
  }

  @Test func `a current account without an ID is recorded once`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    let first = try application.currentAccount()
    #expect(first.account?.homeAccountID.isEmpty == true && first.previousAccount == nil)
    let version = try bench.store.snapshot(SnapshotSelection(), within: .none).version
    let again = try bench.application().currentAccount()
    #expect(again.account == first.account && again.previousAccount == first.account)
    #expect(try bench.store.snapshot(SnapshotSelection(), within: .none).version == version)
  }

  @Test func `the current account stays current when it gets an ID and a new name`()
    throws
  {
    try bench.importItems(bench.legacyItem { $0.userID = "former@contoso.example" })
    let application = try bench.application()
    let listed = try #require(try application.currentAccount().account)
    let account = try application.acquireTokenSilent(
      SilentRequest(account: listed, scopes: ["user.read"])
    ).account
    #expect(
      try application.currentAccount() == CurrentAccount(account: account, previousAccount: account)
    )
  }

  @Test func `a removed account without an ID is reported as previous, with its name`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    let account = try #require(try application.currentAccount().account)
    try application.removeAccount(account)
    let current = try application.currentAccount()
    #expect(current.account == nil && current.previousAccount?.username == account.username)
    #expect(try application.currentAccount().previousAccount == nil)
  }
}
