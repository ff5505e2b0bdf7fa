// SPDX-License-Identifier: MIT
// Users known only from an older library: account list, first token, and protection against mix-ups.

import Dispatch
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LegacyUpgradeTests {
  private let bench = TestBench()

  private func request(_ name: String, resource: Bool = false) -> SilentRequest {
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = name
    return request
  }

  @Test func `an account known only from ADAL gets a token and an account ID`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    let listed = try #require(try application.accounts().first)
    #expect(listed.homeAccountID.isEmpty)
    #expect(listed.username == LocalUser.alice.username)
    #expect(try application.explain(request(LocalUser.alice.username)).decision == .refresh)
    let result = try application.acquireTokenSilent(
      SilentRequest(account: listed, scopes: ["user.read"]))
    #expect(result.source == .network)
    let accounts = try application.accounts()
    #expect(accounts.map(\.homeAccountID) == [result.account.homeAccountID])
    #expect(!result.account.homeAccountID.isEmpty)
    // By user name, by account ID and by the listed account, the call returns the same cached token.
    let count = bench.refreshes
    for request in [
      request("ALICE@contoso.example"), request(LocalUser.alice.username),
      SilentRequest(account: result.account, scopes: ["user.read"]),
      SilentRequest(account: listed, scopes: ["user.read"]),
    ] where request.username?.normalised == LocalUser.alice.username {
      let again = try application.acquireTokenSilent(request)
      #expect(again.accessToken == result.accessToken && again.source == .cache)
    }
    #expect(bench.refreshes == count)
  }

  @Test func `an account ID written by ADAL is sufficient`() throws {
    var home = ""
    let item = try bench.legacyItem { item in
      let claims = item.claims
      home = "\(claims?.objectID ?? "").\(claims?.tenantID ?? "")"
      item.homeAccountID = home
    }
    try bench.importItems(item)
    let application = try bench.application()
    #expect(try application.accounts().map(\.homeAccountID) == [home])
    let result = try application.acquireTokenSilent(
      SilentRequest(homeAccountID: home, scopes: ["user.read"]))
    #expect(result.account.homeAccountID == home)
  }

  @Test func `a token of a different account is neither stored nor redeemed again`() throws {
    try bench.importItems(
      bench.legacyItem(.bob) { item in
        item.userID = LocalUser.alice.username
        item.claims = IDTokenClaims(members: ["oid": "another", "tid": "tenant"])
      })
    let application = try bench.application()
    expect(.accountMismatch) {
      _ = try application.acquireTokenSilent(request(LocalUser.alice.username))
    }
    let count = bench.refreshes
    expect(.interactionRequired) {
      _ = try application.acquireTokenSilent(request(LocalUser.alice.username))
    }
    #expect(bench.refreshes == count)
    #expect(try application.accounts().isEmpty)
  }

  @Test(arguments: ["live.com#Alice@contoso.example", "ALICE@contoso.example"])
  func `a guest is identified by the home user name in the ID token`(_ name: String) throws {
    let own = LocalUser.alice.username
    let name = name.replacing("Alice@contoso.example", with: own)
      .replacing("ALICE@contoso.example", with: own.uppercased())
    try bench.importItems(
      bench.legacyItem { item in
        item.userID = "what the tenant calls its guest"
        item.claims = IDTokenClaims(
          members: ["oid": "guest", "tid": "elsewhere", "unique_name": .string(name)])
      })
    let result = try bench.application().acquireTokenSilent(
      request("what the tenant calls its guest"))
    #expect(result.account.username == own)
  }

  @Test func `two guests of a tenant are distinguished`() throws {
    let guest = "_fabrikam.com#EXT#@contoso.example"
    try bench.importItems(
      bench.legacyItem { item in
        item.userID = "alice\(guest)"
        item.claims = IDTokenClaims(
          members: ["oid": "guest", "tid": "elsewhere", "unique_name": .string("bob\(guest)")])
      })
    expect(.accountMismatch) {
      _ = try bench.application().acquireTokenSilent(request("alice\(guest)"))
    }
  }

  @Test func `a rejected token is not redeemed again, even after another import`() throws {
    let item = try bench.legacyItem { $0.refreshToken = Secret("revoked long ago") }
    try bench.importItems(item)
    let application = try bench.application()
    expect(.refreshTokenRejected) { _ = try application.acquireTokenSilent(request(item.userID)) }
    let count = bench.refreshes
    try bench.importItems(item)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
    #expect(bench.refreshes == count)
    // A newer token of the same cache is redeemed.
    try bench.importItems(bench.legacyItem())
    #expect(try application.acquireTokenSilent(request(item.userID)).source == .network)
  }

  @Test func `two users with one name are ambiguous, and no token is redeemed`() throws {
    let alice = try bench.legacyItem()
    let other = try bench.legacyItem(.bob) { $0.userID = alice.userID }
    try bench.importItems(alice, other)
    let application = try bench.application()
    #expect(try application.accounts().count == 2)
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(request(alice.userID)) }
    #expect(bench.refreshes == 0)
  }

  @Test func `a signed-out account stays signed out after another import`() throws {
    let item = try bench.legacyItem()
    try bench.importItems(item)
    let application = try bench.application()
    let account = try #require(try application.accounts().first)
    #expect(try application.removeAccount(account))
    #expect(try application.accounts().isEmpty)
    try bench.importItems(item)
    #expect(try application.accounts().isEmpty)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
  }

  @Test func `after the redemption, a sign-out also removes the legacy token`() throws {
    let item = try bench.legacyItem()
    try bench.importItems(item)
    let application = try bench.application()
    let account = try application.acquireTokenSilent(request(item.userID)).account
    try application.removeAccount(account)
    #expect(try application.accounts().isEmpty)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
    try bench.importItems(item)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a renamed user is found by the old and the new name`() throws {
    let item = try bench.legacyItem { $0.userID = "former@contoso.example" }
    try bench.importItems(item)
    let application = try bench.application()
    let result = try application.acquireTokenSilent(request("former@contoso.example"))
    #expect(result.account.username == LocalUser.alice.username)
    for name in ["former@contoso.example", LocalUser.alice.username] {
      #expect(try application.acquireTokenSilent(request(name)).source == .cache)
    }
    #expect(try application.accounts().count == 1)
  }

  @Test func `triesSilentFirst redeems a legacy token`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    var request = InteractiveRequest(scopes: ["user.read"])
    request.triesSilentFirst = true
    let result = try application.acquireTokenInteractive(request)
    #expect(result.source == .network && result.account.username == LocalUser.alice.username)
    #expect(bench.refreshes == 1)
  }

  @Test func `a user name is resolved at each call, because it may be reassigned`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let alice = request(LocalUser.alice.username)
    #expect(try application.acquireTokenSilent(alice).source == .cache)
    try bench.importItems(
      bench.legacyItem(.bob) { item in
        item.userID = LocalUser.alice.username
        item.claims = nil
      })
    // Without further information, a token under the name does not make it ambiguous.
    #expect(try application.acquireTokenSilent(alice).source == .cache)
    try bench.importItems(
      bench.legacyItem(.bob) { item in
        item.userID = LocalUser.alice.username
        item.homeAccountID = LocalUser.bob.homeAccountID
      })
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(alice) }
  }

  @Test func `eight concurrent calls redeem the token once`() throws {
    try bench.importItems(bench.legacyItem())
    let applications = try (0..<8).map { _ in try bench.application() }
    let tokens = SpinLock<Set<Secret>>([])
    DispatchQueue.concurrentPerform(iterations: applications.count) { number in
      let result = try? applications[number].acquireTokenSilent(request(LocalUser.alice.username))
      tokens.withLock { if let result { $0.insert(result.accessToken) } }
    }
    #expect(tokens.withLock { $0.count } == 1)
    #expect(bench.refreshes == 1)
  }

  @Test func `an unknown user name requires a sign-in, without a request`() throws {
    try bench.importItems(bench.legacyItem())
    let application = try bench.application()
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request("nobody@x.y")) }
    #expect(bench.refreshes == 0)
  }

  @Test func `the application's own sign-in takes precedence`() throws {
    let application = try bench.application()
    let own = try bench.signIn(application)
    try bench.importItems(bench.legacyItem())
    #expect(try application.accounts().map(\.homeAccountID) == [own.account.homeAccountID])
    let result = try application.acquireTokenSilent(request(LocalUser.alice.username))
    #expect(result.accessToken == own.accessToken)
    #expect(bench.refreshes == 0)
  }

  @Test func `a family token is redeemed, and a token of another application is not`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    try bench.importItems(
      bench.legacyItem(client: "sibling") { $0.familyID = "1" },
      bench.legacyItem(.bob, client: "stranger"))
    let application = try bench.application()
    #expect(try application.accounts().map(\.username) == [LocalUser.alice.username])
    #expect(
      try application.acquireTokenSilent(request(LocalUser.alice.username)).source == .network)
  }
}
