// SPDX-License-Identifier: MIT
// Tokens of older libraries when several users share a name, or one user has several names.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacyUserTests {
  private let bench = TestBench()

  private func request(_ user: LocalUser, named name: String? = nil) -> SilentRequest {
    var request = SilentRequest(homeAccountID: user.homeAccountID, scopes: ["user.read"])
    request.username = name
    return request
  }

  /// A request that no cached access token satisfies.
  private var forced: SilentRequest {
    var request = request(.alice)
    request.forcesRefresh = true
    return request
  }

  private func tokens(of name: String) throws -> [Secret] {
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let found = try bench.store.snapshot(selection, within: .none).legacyAccounts
    return found.flatMap(\.items).compactMap(\.refreshToken)
  }

  @Test func `a token of another user with the same name in the same tenant is not redeemed`()
    throws
  {
    let alice = LocalUser.alice.username
    try bench.importItems(bench.legacyItem(.bob) { $0.userID = alice })
    expect(.interactionRequired) {
      _ = try bench.application().acquireTokenSilent(request(.alice, named: alice))
    }
    #expect(bench.refreshes == 0)
  }

  @Test func `two users with one name are both listed, and the name is ambiguous`() throws {
    let application = try bench.application()
    let own = try bench.signIn(application)
    let alice = LocalUser.alice.username
    try bench.importItems(bench.legacyItem(.bob) { $0.userID = alice })
    #expect(try application.accounts().count == 2)
    #expect(try application.acquireTokenSilent(request(.alice)).accessToken == own.accessToken)
    var named = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    named.username = alice
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(named) }
  }

  @Test(arguments: [false, true])
  func `the token of another account stays good if the server kept it`(_ isKept: Bool) throws {
    try bench.provider.perform(.set([.rotation(false)]))
    let network = EditedTransport(network: bench.transport) { _, response in
      isKept ? response.without("refresh_token") : response
    }
    let alice = LocalUser.alice.username
    let item = try bench.legacyItem(.carol) { $0.userID = alice }
    try bench.importItems(item)
    let application = try bench.application(transport: network)
    expect(.accountMismatch) {
      _ = try application.acquireTokenSilent(request(.alice, named: alice))
    }
    let count = bench.refreshes
    expect(.interactionRequired) {
      _ = try application.acquireTokenSilent(request(.alice, named: alice))
    }
    #expect(bench.refreshes == count)
    guard !isKept else {
      #expect(try application.acquireTokenSilent(request(.carol)).source == .network)
      return
    }
    // The refused response replaced it, so neither token is sent.
    #expect(try tokens(of: alice).isEmpty)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(.carol)) }
    #expect(bench.refreshes == count)
    try bench.importItems(item)
    #expect(try tokens(of: alice).isEmpty)
    // A sign-out finds both.
    let account = try bench.signIn(application, as: .carol).account
    var signOut = SignOutRequest(account: account)
    signOut.revokesTokens = true
    #expect(try application.signOut(signOut).revocations.count == 3)
    #expect(try application.signOut(signOut).revocations.isEmpty)
  }

  @Test func `a sign-out does not remove a token of another user with the same name`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let alice = LocalUser.alice.username
    try bench.importItems(bench.legacyItem(.bob) { $0.userID = alice })
    try application.removeAccount(account)
    #expect(try tokens(of: alice).count == 1)
    #expect(try application.acquireTokenSilent(request(.bob)).source == .network)
  }

  @Test func `a guest is found by the object ID, regardless of the name`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var guest = AccountRecord(
      homeAccountID: account.homeAccountID, environment: account.environment, realm: "elsewhere")
    guest["local_account_id"] = "guest"
    guest["username"] = "alice_contoso#ext#@elsewhere"
    try bench.store.commit(CacheChange([.mergeAccount(guest)]), within: .none)
    try removeTokens()
    let item = try bench.legacyItem { item in
      item.userID = "former@elsewhere.example"
      item.claims = IDTokenClaims(members: ["oid": "guest", "tid": "elsewhere"])
    }
    try bench.importItems(item)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    try application.removeAccount(account)
    #expect(try tokens(of: item.userID).isEmpty)
  }

  private func removeTokens() throws {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let tokens = try bench.store.snapshot(selection, within: .none).credentials
    try bench.store.commit(
      CacheChange(tokens.map(CacheChange.Step.removeIfUnchanged)), within: .none)
  }

  @Test func `a token under an earlier user name is found by the account ID`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try removeTokens()
    try bench.importItems(bench.legacyItem { $0.userID = "former@contoso.example" })
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }

  @Test func `an account without tokens is found by its user name`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try removeTokens()
    try bench.importItems(bench.legacyItem { $0.claims = nil })
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }
}
