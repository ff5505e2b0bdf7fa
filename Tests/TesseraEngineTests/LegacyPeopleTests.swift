// SPDX-License-Identifier: MIT
// One name and several people, one person and several names: whose token of an older library is whose.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacyPeopleTests {
  private let bench = TestBench()

  private func request(_ user: LocalUser, named name: String? = nil) -> SilentRequest {
    var request = SilentRequest(homeAccountID: user.homeAccountID, scopes: ["user.read"])
    request.username = name
    return request
  }

  /// A request that no access token in the cache serves.
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

  @Test func `who has got the address of another one is somebody else in the same tenant`() throws {
    let alice = LocalUser.alice.username
    try bench.take(bench.left(.bob) { $0.userID = alice })
    expect(.interactionRequired) {
      _ = try bench.application().acquireTokenSilent(request(.alice, named: alice))
    }
    #expect(bench.refreshes == 0)
  }

  @Test func `both who have had an address are listed, and neither is taken for the other`() throws
  {
    let application = try bench.application()
    let own = try bench.signIn(application)
    let alice = LocalUser.alice.username
    try bench.take(bench.left(.bob) { $0.userID = alice })
    #expect(try application.accounts().count == 2)
    #expect(try application.acquireTokenSilent(request(.alice)).accessToken == own.accessToken)
    var named = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    named.username = alice
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(named) }
  }

  @Test func `the good token of somebody else stays good, and is not asked about again`() throws {
    let alice = LocalUser.alice.username
    let item = try bench.left(.carol) { $0.userID = alice }
    try bench.take(item)
    let application = try bench.application()
    expect(.accountMismatch) {
      _ = try application.acquireTokenSilent(request(.alice, named: alice))
    }
    let count = bench.refreshes
    expect(.interactionRequired) {
      _ = try application.acquireTokenSilent(request(.alice, named: alice))
    }
    #expect(bench.refreshes == count)
    // The server has replaced it: the new one lies before it.
    #expect(try tokens(of: alice).count == 2)
    #expect(try application.acquireTokenSilent(request(.carol)).source == .network)
  }

  @Test func `a sign-out takes nothing of another person with the same name`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let alice = LocalUser.alice.username
    try bench.take(bench.left(.bob) { $0.userID = alice })
    try application.removeAccount(account)
    #expect(try tokens(of: alice).count == 1)
    #expect(try application.acquireTokenSilent(request(.bob)).source == .network)
  }

  @Test func `a guest is found by the object id there, whatever the name was`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var guest = AccountRecord(
      homeAccountID: account.homeAccountID, environment: account.environment, realm: "elsewhere")
    guest["local_account_id"] = "guest"
    guest["username"] = "alice_contoso#ext#@elsewhere"
    try bench.store.commit(CacheChange([.mergeAccount(guest)]), within: .none)
    try forgetTokens()
    let item = try bench.left { item in
      item.userID = "former@elsewhere.example"
      item.claims = IDTokenClaims(members: ["oid": "guest", "tid": "elsewhere"])
    }
    try bench.take(item)
    #expect(try application.acquireTokenSilent(forced).source == .network)
    try application.removeAccount(account)
    #expect(try tokens(of: item.userID).isEmpty)
  }

  private func forgetTokens() throws {
    var selection = SnapshotSelection()
    selection.everyAccount = true
    let tokens = try bench.store.snapshot(selection, within: .none).credentials
    try bench.store.commit(
      CacheChange(tokens.map(CacheChange.Step.removeIfUnchanged)), within: .none)
  }

  @Test func `an identifier finds what lies under a name that the person had`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try forgetTokens()
    try bench.take(bench.left { $0.userID = "former@contoso.example" })
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }

  @Test func `an account without a token is known by its name`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    try forgetTokens()
    try bench.take(bench.left { $0.claims = nil })
    #expect(try application.acquireTokenSilent(forced).source == .network)
  }
}
