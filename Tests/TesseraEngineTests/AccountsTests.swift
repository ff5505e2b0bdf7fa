// SPDX-License-Identifier: MIT
// Accounts: listed, found without guessing, removed for one application only.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct AccountsTests {
  private let bench = TestBench()

  @Test func `people who signed in are listed and found`() throws {
    let application = try bench.application()
    #expect(try application.accounts().isEmpty)
    try bench.signIn(application, as: .alice)
    try bench.signIn(application, as: .bob)
    #expect(try application.accounts().count == 2)
    let alice = try application.account(username: "ALICE@contoso.com")
    #expect(alice.homeAccountID == LocalUser.alice.homeAccountID)
    #expect(alice.name == LocalUser.alice.name)
    #expect(alice.tenantProfiles.map(\.isHomeTenant) == [true])
    #expect(try application.account(homeAccountID: alice.homeAccountID.uppercased()) == alice)
  }

  @Test func `nobody is guessed`() throws {
    let application = try bench.application()
    expect(.accountNotFound) { _ = try application.account(username: "x@contoso.com") }
    expect(.accountNotFound) { _ = try application.account(homeAccountID: "x.y") }
    expect(.invalidMember) { _ = try application.account(username: " ") }
  }

  @Test func `a guest in another tenant is one account with two profiles`() throws {
    let home = try bench.application()
    try bench.signIn(home, as: .carol)
    let guest = try bench.application(tenant: "contoso.onmicrosoft.com")
    try bench.signIn(guest, as: .carol)
    let accounts = try home.accounts()
    #expect(accounts.count == 1)
    #expect(accounts.first?.tenantProfiles.count == 2)
    #expect(accounts.first?.tenantProfiles.first?.isHomeTenant == true)
  }

  @Test func `removing an account affects this application only`() throws {
    let mine = try bench.application(client: "mine")
    let other = try bench.application(client: "other")
    let account = try bench.signIn(mine).account
    try bench.signIn(other)
    bench.transport.network = .down
    #expect(try mine.removeAccount(account))
    #expect(try mine.accounts().isEmpty)
    #expect(try other.accounts().count == 1)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    expect(.interactionRequired) { _ = try mine.acquireTokenSilent(request) }
    #expect(try other.acquireTokenSilent(request).source == .cache)
    #expect(try mine.removeAccount(account) == false)
    bench.transport.network = .up
    try bench.signIn(mine)
    #expect(try mine.acquireTokenSilent(request).source == .cache)
  }

  @Test func `removal is seen by a program that has the answer in memory`() throws {
    let one = try bench.application()
    let other = try bench.application()
    let account = try bench.signIn(one).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try other.acquireTokenSilent(request).source == .cache)
    try one.removeAccount(account)
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
  }

  @Test func `two issuers on one host with the same subject and client never share`() throws {
    let one = try bench.application(issuer: "one")
    let two = try bench.application(issuer: "two")
    let account = try bench.signIn(one).account
    // An application lists the accounts of all its providers; it is the tokens that are never shared.
    #expect(try two.accounts() == [account])
    let request = SilentRequest(account: account, scopes: ["user.read"])
    expect(.interactionRequired) { _ = try two.acquireTokenSilent(request) }
    let second = try bench.signIn(two)
    #expect(second.account.homeAccountID == account.homeAccountID)
    #expect(second.account.environment != account.environment)
    // The account of one issuer is nobody at the other, although somebody there has the same subject.
    expect(.interactionRequired) { _ = try two.acquireTokenSilent(request) }
    let own = SilentRequest(account: second.account, scopes: ["user.read"])
    #expect(try two.acquireTokenSilent(own).accessToken == second.accessToken)
    #expect(try one.acquireTokenSilent(request).accessToken != second.accessToken)
    bench.clock.advance(seconds: 4000)
    #expect(try one.acquireTokenSilent(request).source == .network)
    #expect(try two.acquireTokenSilent(own).source == .network)
    #expect(bench.provider.counts.refreshTokenReuses == 0)
    try one.removeAccount(account)
    expect(.interactionRequired) { _ = try one.acquireTokenSilent(request) }
    #expect(try two.acquireTokenSilent(own).source == .cache)
  }

  @Test func `issuers that differ in case only are two issuers`() throws {
    let lower = try bench.application(issuer: "main")
    let upper = try bench.application(issuer: "MAIN")
    let account = try bench.signIn(lower).account
    let other = try bench.signIn(upper).account
    #expect(account.environment != other.environment)
    #expect(try lower.accounts().count == 2)
    expect(.ambiguousAccount) { _ = try lower.account(homeAccountID: account.homeAccountID) }
    #expect(
      try lower.account(
        homeAccountID: account.homeAccountID, environment: other.environment) == other)
    try lower.removeAccount(account)
    #expect(try lower.accounts() == [other])
    let request = SilentRequest(account: other, scopes: ["user.read"])
    #expect(try upper.acquireTokenSilent(request).source == .cache)
  }

  @Test func `one object serves several tenants and issuers`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application, as: .carol).account
    var request = SilentRequest(account: account, scopes: ["user.read"])
    let home = try application.acquireTokenSilent(request)
    request.authority = bench.provider.entraAuthority("contoso.onmicrosoft.com")
    let guest = try application.acquireTokenSilent(request)
    #expect(guest.source == .network)
    #expect(guest.tenantID != home.tenantID)
    #expect(try application.acquireTokenSilent(request).source == .cache)
    #expect(try application.acquireTokenSilent(request).accessToken == guest.accessToken)
  }

  @Test func `a family member signs in with the family's refresh token`() throws {
    try bench.provider.perform(.set([.familyClients(["office", "teams"])]))
    let office = try bench.application(client: "office")
    let account = try bench.signIn(office).account
    let teams = try bench.application(client: "teams")
    #expect(try teams.accounts() == [account])
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try teams.acquireTokenSilent(request).source == .network)
    try teams.removeAccount(account)
    #expect(try teams.accounts().isEmpty)
    expect(.interactionRequired) { _ = try teams.acquireTokenSilent(request) }
  }
}
