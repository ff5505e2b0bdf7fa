// SPDX-License-Identifier: MIT
// The current and the previous account of a single-account application.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct CurrentAccountTests {
  private let bench = TestBench()

  @Test func `without a sign-in, there is neither a current nor a previous account`() throws {
    let current = try bench.application().currentAccount()
    #expect(current == CurrentAccount(account: nil, previousAccount: nil))
  }

  @Test func `after a sign-in, the account is current, and at the next call also previous`() throws
  {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    let first = try application.currentAccount()
    #expect(first == CurrentAccount(account: alice, previousAccount: nil))
    // Another process of the same application.
    let again = try bench.application().currentAccount()
    #expect(again == CurrentAccount(account: alice, previousAccount: alice))
    #expect(try bench.application(client: "other").currentAccount().previousAccount == nil)
  }

  @Test func `a removed account is returned as the previous one, once`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    _ = try application.currentAccount()
    try application.removeAccount(alice)
    let current = try application.currentAccount()
    #expect(current.account == nil)
    #expect(current.previousAccount?.homeAccountID == alice.homeAccountID)
    #expect(current.previousAccount?.environment == alice.environment)
    #expect(current.previousAccount?.username == alice.username)
    #expect(current.previousAccount?.tenantProfiles.isEmpty == true)
    #expect(try application.currentAccount().previousAccount == nil)
  }

  @Test func `after a change of the account, the removed one is previous`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    _ = try application.currentAccount()
    let bob = try bench.signIn(application, as: .bob).account
    // With two accounts, none is current, and the previous one does not change.
    expect(.ambiguousAccount) { _ = try application.currentAccount() }
    try application.removeAccount(alice)
    let current = try application.currentAccount()
    #expect(current.account == bob)
    #expect(current.previousAccount?.homeAccountID == alice.homeAccountID)
  }

  @Test func `a removed account known to another application keeps its tenant profiles`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    try bench.signIn(bench.application(client: "other"))
    _ = try application.currentAccount()
    try application.removeAccount(alice)
    #expect(try application.currentAccount().previousAccount?.tenantProfiles.count == 1)
  }

  @Test func `the previous account is reported for an OpenID Connect issuer`() throws {
    let application = try bench.application(issuer: "one")
    let alice = try bench.signIn(application).account
    _ = try application.currentAccount()
    try application.removeAccount(alice)
    let previous = try application.currentAccount().previousAccount
    #expect(previous?.homeAccountID == alice.homeAccountID)
    #expect(previous?.environment == alice.environment)
  }

  @Test func `currentAccount does not change the list of accounts`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let accounts = try application.accounts()
    _ = try application.currentAccount()
    #expect(try application.accounts() == accounts)
  }

  @Test func `unknown members of MSAL's record are preserved`() throws {
    let members: JSONObject = [
      "client_id": "client", "account_metadata_map": ["home": ["sign_in_state": "signed_in"]],
      "principal_home_account_id": "uid.utid", "principal_username": "upn@test.com",
      "principal_account_environment": "login.windows.net", "more": "stays",
    ]
    var record = try #require(AccountMetadataRecord(members: members))
    #expect(record.principal?.username == "upn@test.com")
    try bench.store.commit(CacheChange([.put(.accountMetadata(record))]), within: .none)
    let current = try bench.application().currentAccount()
    #expect(current.previousAccount?.homeAccountID == "uid.utid")
    record.principal = nil
    var selection = SnapshotSelection()
    selection.keys = [record.key]
    let stored = try bench.store.snapshot(selection, within: .none).records
    #expect(stored == [.accountMetadata(record)])
    #expect(record.members["more"]?.string == "stays")
  }
}
