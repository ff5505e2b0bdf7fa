// SPDX-License-Identifier: MIT
// Accounts: listing, exact lookup, and removal from one application.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AccountsTests {
  private let bench = TestBench()

  @Test func `signed-in accounts are listed and found by user name and by ID`() throws {
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

  @Test func `an unknown account is not found, and a blank user name is rejected`() throws {
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

  @Test func `removing an account affects only this application`() throws {
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

  @Test func `an account that one application removes is not served from another's cache`() throws {
    let one = try bench.application()
    let other = try bench.application()
    let account = try bench.signIn(one).account
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try other.acquireTokenSilent(request).source == .cache)
    try one.removeAccount(account)
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
  }

  @Test func `two issuers on one host with the same subject and client share no tokens`() throws {
    let one = try bench.application(issuer: "one")
    let two = try bench.application(issuer: "two")
    let account = try bench.signIn(one).account
    // An application lists the accounts of all its providers. Only the tokens are not shared.
    #expect(try two.accounts() == [account])
    let request = SilentRequest(account: account, scopes: ["user.read"])
    var elsewhere = request
    elsewhere.authority = two.configuration.authority
    expect(.interactionRequired) { _ = try two.acquireTokenSilent(elsewhere) }
    // Without an authority, the request is for the account's own issuer.
    #expect(try two.acquireTokenSilent(request).account == account)
    let second = try bench.signIn(two)
    #expect(second.account.homeAccountID == account.homeAccountID)
    #expect(second.account.environment != account.environment)
    // An account of one issuer is unknown to the other, even with the same subject.
    expect(.interactionRequired) { _ = try two.acquireTokenSilent(elsewhere) }
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

  @Test func `issuers that differ only in case are different issuers`() throws {
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

  @Test func `one application object supports several tenants`() throws {
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

  @Test func `a member of a token family gets a token with the family refresh token`() throws {
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
