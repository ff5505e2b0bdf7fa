// SPDX-License-Identifier: MIT
// The authority_type of stored accounts for each kind of authority, compatible with MSAL.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AccountTypeTests {
  private func accounts(_ bench: TestBench) throws -> [AccountRecord] {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    return try bench.store.snapshot(selection, within: .none).accounts
  }

  private func signIn(_ bench: TestBench, at authority: String, type: AuthorityType?) throws
    -> Account
  {
    let application = try bench.application { configuration in
      configuration.authority = authority
      configuration.authorityType = type
    }
    return try bench.signIn(application, scopes: ["read"]).account
  }

  @Test(arguments: ProviderKind.all)
  func `the stored authority_type matches the kind of the authority`(_ shape: ProviderKind) throws {
    let bench = TestBench(origin: shape.origin)
    _ = try signIn(bench, at: shape.authority, type: shape.type)
    let expected =
      switch try Authority(shape.authority, type: shape.type).type {
      case .entra, .b2c, .ciam: "MSSTS"
      case .adfs: "ADFS"
      case .openID: "Generic"
      }
    #expect(try accounts(bench).map { $0["authority_type"] } == [expected])
  }

  @Test(arguments: [
    ("https://adfs.contoso.example", "https://adfs.contoso.example/adfs"),
    ("https://id.example", "https://id.example/oidc/main"),
  ])
  func `an account stored as MSSTS is found, and the next sign-in corrects its type`(
    _ origin: String, _ authority: String
  ) throws {
    let bench = TestBench(origin: origin)
    let account = try signIn(bench, at: authority, type: nil)
    let stored = try #require(try accounts(bench).first)
    var old = stored
    old["authority_type"] = "MSSTS"
    old["name"] = "Alice as she was"
    old["nickname"] = "Ali"
    try bench.store.commit(
      CacheChange([.removeEverything, .mergeAccount(old)]), within: .none)
    let before = try bench.application { configuration in
      configuration.authority = authority
      configuration.authorityType = nil
    }
    #expect(try accounts(bench).map { $0["authority_type"] } == ["MSSTS"])
    var everybody = AccountsRequest()
    everybody.signedInOnly = false
    #expect(try before.accounts(everybody).map(\.username) == [account.username])
    #expect(try signIn(bench, at: authority, type: nil) == account)
    let records = try accounts(bench)
    #expect(records.count == 1)
    #expect(records.first?["authority_type"] == stored["authority_type"])
    #expect(records.first?.name == LocalUser.alice.name)
    #expect(records.first?["nickname"] == "Ali")
  }
}
