// SPDX-License-Identifier: MIT
// People whom only an older library has signed in: listed, given a token without a prompt, and never taken for others.

import Dispatch
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct LegacyUpgradeTests {
  private let bench = TestBench()

  private func request(_ name: String, resource: Bool = false) -> SilentRequest {
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = name
    return request
  }

  @Test func `somebody whom only ADAL signed in gets a token, and an identifier with it`() throws {
    try bench.take(bench.left())
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
    // By name, by identifier and by the account as it was listed: the same token, from the cache.
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

  @Test func `with the identifier that ADAL wrote, that alone is enough`() throws {
    var home = ""
    let item = try bench.left { item in
      let claims = item.claims
      home = "\(claims?.objectID ?? "").\(claims?.tenantID ?? "")"
      item.homeAccountID = home
    }
    try bench.take(item)
    let application = try bench.application()
    #expect(try application.accounts().map(\.homeAccountID) == [home])
    let result = try application.acquireTokenSilent(
      SilentRequest(homeAccountID: home, scopes: ["user.read"]))
    #expect(result.account.homeAccountID == home)
  }

  @Test func `a token that turns out to be somebody else's is not stored, nor tried again`() throws
  {
    try bench.take(
      bench.left(.bob) { item in
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
  func `a guest is known by the name that the other tenant wrote`(_ name: String) throws {
    let own = LocalUser.alice.username
    let name = name.replacing("Alice@contoso.example", with: own)
      .replacing("ALICE@contoso.example", with: own.uppercased())
    try bench.take(
      bench.left { item in
        item.userID = "what the tenant calls its guest"
        item.claims = IDTokenClaims(
          members: ["oid": "guest", "tid": "elsewhere", "unique_name": .string(name)])
      })
    let result = try bench.application().acquireTokenSilent(
      request("what the tenant calls its guest"))
    #expect(result.account.username == own)
  }

  @Test func `one guest of a tenant is not another one`() throws {
    let guest = "_fabrikam.com#EXT#@contoso.example"
    try bench.take(
      bench.left { item in
        item.userID = "alice\(guest)"
        item.claims = IDTokenClaims(
          members: ["oid": "guest", "tid": "elsewhere", "unique_name": .string("bob\(guest)")])
      })
    expect(.accountMismatch) {
      _ = try bench.application().acquireTokenSilent(request("alice\(guest)"))
    }
  }

  @Test func `a refused token is remembered, also by the next import of the same cache`() throws {
    let item = try bench.left { $0.refreshToken = Secret("revoked long ago") }
    try bench.take(item)
    let application = try bench.application()
    expect(.refreshTokenRejected) { _ = try application.acquireTokenSilent(request(item.userID)) }
    let count = bench.refreshes
    try bench.take(item)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
    #expect(bench.refreshes == count)
    // A newer one of the same cache is another one.
    try bench.take(bench.left())
    #expect(try application.acquireTokenSilent(request(item.userID)).source == .network)
  }

  @Test func `two people with one address are never taken for each other`() throws {
    let alice = try bench.left()
    let other = try bench.left(.bob) { $0.userID = alice.userID }
    try bench.take(alice, other)
    let application = try bench.application()
    #expect(try application.accounts().count == 2)
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(request(alice.userID)) }
    #expect(bench.refreshes == 0)
  }

  @Test func `who signs out stays signed out, whatever is imported again`() throws {
    let item = try bench.left()
    try bench.take(item)
    let application = try bench.application()
    let account = try #require(try application.accounts().first)
    #expect(try application.removeAccount(account))
    #expect(try application.accounts().isEmpty)
    try bench.take(item)
    #expect(try application.accounts().isEmpty)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
  }

  @Test func `after the upgrade a sign-out takes what the older library left as well`() throws {
    let item = try bench.left()
    try bench.take(item)
    let application = try bench.application()
    let account = try application.acquireTokenSilent(request(item.userID)).account
    try application.removeAccount(account)
    #expect(try application.accounts().isEmpty)
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request(item.userID)) }
    try bench.take(item)
    #expect(try application.accounts().isEmpty)
  }

  @Test func `a renamed person is found by the old name and by the new one`() throws {
    let item = try bench.left { $0.userID = "former@contoso.example" }
    try bench.take(item)
    let application = try bench.application()
    let result = try application.acquireTokenSilent(request("former@contoso.example"))
    #expect(result.account.username == LocalUser.alice.username)
    for name in ["former@contoso.example", LocalUser.alice.username] {
      #expect(try application.acquireTokenSilent(request(name)).source == .cache)
    }
    #expect(try application.accounts().count == 1)
  }

  @Test func `without a prompt first means also those whom only ADAL has signed in`() throws {
    try bench.take(bench.left())
    let application = try bench.application()
    var request = InteractiveRequest(scopes: ["user.read"])
    request.triesSilentFirst = true
    let result = try application.acquireTokenInteractive(request)
    #expect(result.source == .network && result.account.username == LocalUser.alice.username)
    #expect(bench.refreshes == 1)
  }

  @Test func `a name is looked up at each call, since another person may get it`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let alice = request(LocalUser.alice.username)
    #expect(try application.acquireTokenSilent(alice).source == .cache)
    try bench.take(
      bench.left(.bob) { item in
        item.userID = LocalUser.alice.username
        item.claims = nil
      })
    // Of one of whom nothing else is known the name is not another person's.
    #expect(try application.acquireTokenSilent(alice).source == .cache)
    try bench.take(
      bench.left(.bob) { item in
        item.userID = LocalUser.alice.username
        item.homeAccountID = LocalUser.bob.homeAccountID
      })
    expect(.ambiguousAccount) { _ = try application.acquireTokenSilent(alice) }
  }

  @Test func `two at once redeem one token`() throws {
    try bench.take(bench.left())
    let applications = try (0..<8).map { _ in try bench.application() }
    let tokens = SpinLock<Set<Secret>>([])
    DispatchQueue.concurrentPerform(iterations: applications.count) { number in
      let result = try? applications[number].acquireTokenSilent(request(LocalUser.alice.username))
      tokens.withLock { if let result { $0.insert(result.accessToken) } }
    }
    #expect(tokens.withLock { $0.count } == 1)
    #expect(bench.refreshes == 1)
  }

  @Test func `an unknown name needs a sign-in, and costs no request`() throws {
    try bench.take(bench.left())
    let application = try bench.application()
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request("nobody@x.y")) }
    #expect(bench.refreshes == 0)
  }

  @Test func `a sign-in of the application's own wins`() throws {
    let application = try bench.application()
    let own = try bench.signIn(application)
    try bench.take(bench.left())
    #expect(try application.accounts().map(\.homeAccountID) == [own.account.homeAccountID])
    let result = try application.acquireTokenSilent(request(LocalUser.alice.username))
    #expect(result.accessToken == own.accessToken)
    #expect(bench.refreshes == 0)
  }

  @Test func `the token of another application of the family serves, and no stranger's`() throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    try bench.take(
      bench.left(client: "sibling") { $0.familyID = "1" }, bench.left(.bob, client: "stranger"))
    let application = try bench.application()
    #expect(try application.accounts().map(\.username) == [LocalUser.alice.username])
    #expect(
      try application.acquireTokenSilent(request(LocalUser.alice.username)).source == .network)
  }
}
