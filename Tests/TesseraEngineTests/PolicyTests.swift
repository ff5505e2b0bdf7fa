// SPDX-License-Identifier: MIT
// Policies of one B2C tenant, such as sign-in and profile editing: separate accounts and tokens.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct PolicyTests {
  private let bench = TestBench(origin: "https://customers.b2clogin.com")
  private let tenant = "33333333-3333-4333-8333-333333333333"

  private func application(tfp: Bool) throws -> PublicClientApplication {
    try bench.application { configuration in
      configuration.authority = bench.provider.b2cAuthority("b2c_1_signin", tfp: tfp)
      configuration.authorityType = nil
    }
  }

  private func edit(_ application: PublicClientApplication, tfp: Bool) throws -> TokenResult {
    var request = DeviceCodeRequest(scopes: ["user.read"])
    request.authority = bench.provider.b2cAuthority("b2c_1_edit", tfp: tfp)
    return try application.acquireTokenByDeviceCode(request) { prompt in
      try? bench.provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }
  }

  private func silent(
    _ application: PublicClientApplication, _ account: Account, policy: String, tfp: Bool,
    fresh: Bool = false
  ) throws -> TokenResult {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.authority = bench.provider.b2cAuthority(policy, tfp: tfp)
    request.forcesRefresh = fresh
    return try application.acquireTokenSilent(request)
  }

  @Test(arguments: [true, false])
  func `editing a profile does not affect the sign-in`(_ tfp: Bool) throws {
    let application = try application(tfp: tfp)
    let first = try bench.signIn(application)
    let second = try edit(application, tfp: tfp)
    #expect(first.account.homeAccountID != second.account.homeAccountID)
    #expect(first.account.username == second.account.username)
    #expect(Set(try application.accounts()) == [first.account, second.account])
    let cached = try silent(application, first.account, policy: "b2c_1_signin", tfp: tfp)
    #expect(cached.accessToken == first.accessToken)
    #expect(cached.authority == first.authority)
    for (account, policy) in [(first.account, "b2c_1_signin"), (second.account, "b2c_1_edit")] {
      let fresh = try silent(application, account, policy: policy, tfp: tfp, fresh: true)
      #expect(fresh.account == account)
      #expect(
        bench.transport.requests.last?.url.hasSuffix("/\(policy)/oauth2/v2.0/token") == true)
    }
    #expect(bench.provider.counts.refreshTokenReuses == 0)
    #expect(try application.removeAccount(second.account))
    #expect(try application.accounts() == [first.account])
    _ = try silent(application, first.account, policy: "b2c_1_signin", tfp: tfp, fresh: true)
  }

  @Test(arguments: [
    ("id-b2c_1_signin.tenant", false), ("id-b2c_1_edit.tenant", true), ("id.tenant", false),
    ("id-b2c_1_a.b.tenant", true), ("id", false), ("", false),
  ])
  func `the policy is derived from the account ID`(_ account: String, _ isOther: Bool) throws {
    let base = "https://customers.b2clogin.com/customers.onmicrosoft.com"
    #expect(
      try Authority("\(base)/B2C_1_signin", type: nil).belongsToOtherPolicy(account) == isOther)
    // A policy name may contain dots.
    #expect(
      try !Authority("\(base)/b2c_1_a.b", type: nil).belongsToOtherPolicy("id-b2c_1_a.b.tenant"))
  }

  @Test func `with tfp, each policy is stored with the tenant ID`() throws {
    let application = try application(tfp: true)
    let first = try bench.signIn(application)
    let second = try edit(application, tfp: true)
    let base = "https://customers.b2clogin.com/tfp"
    for (result, policy) in [(first, "b2c_1_signin"), (second, "b2c_1_edit")] {
      let account = result.account.homeAccountID
      var selection = SnapshotSelection()
      selection.owner = account
      let metadata = try bench.store.snapshot(selection, within: .none)
        .accountMetadata(of: "client")
      let led = "\(base)/\(tenant)/\(policy)"
      #expect(
        metadata?.authority(for: "\(base)/customers.onmicrosoft.com/\(policy)", of: account) == led)
      #expect(result.authority == led)
      // The stored authority is also valid in requests, and returns the same token.
      var request = SilentRequest(account: result.account, scopes: ["user.read"])
      request.authority = led
      #expect(try application.acquireTokenSilent(request).accessToken == result.accessToken)
    }
  }
}
