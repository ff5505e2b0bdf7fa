// SPDX-License-Identifier: MIT
// Programs for one person at a time: who it is, and who it was.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct CurrentAccountTests {
  private let bench = TestBench()

  @Test func `nobody is current, and nobody was`() throws {
    let current = try bench.application().currentAccount()
    #expect(current == CurrentAccount(account: nil, previousAccount: nil))
  }

  @Test func `who has signed in is current, and at the next call also previous`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    let first = try application.currentAccount()
    #expect(first == CurrentAccount(account: alice, previousAccount: nil))
    // Another process of the program.
    let again = try bench.application().currentAccount()
    #expect(again == CurrentAccount(account: alice, previousAccount: alice))
    #expect(try bench.application(client: "other").currentAccount().previousAccount == nil)
  }

  @Test func `of an account that is gone its names are left, for one call`() throws {
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

  @Test func `somebody else is told from who was before`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    _ = try application.currentAccount()
    let bob = try bench.signIn(application, as: .bob).account
    // Two at a time are none, and the previous one stays.
    expect(.ambiguousAccount) { _ = try application.currentAccount() }
    try application.removeAccount(alice)
    let current = try application.currentAccount()
    #expect(current.account == bob)
    #expect(current.previousAccount?.homeAccountID == alice.homeAccountID)
  }

  @Test func `an account of another application is previous with all that is known`() throws {
    let application = try bench.application()
    let alice = try bench.signIn(application).account
    try bench.signIn(bench.application(client: "other"))
    _ = try application.currentAccount()
    try application.removeAccount(alice)
    #expect(try application.currentAccount().previousAccount?.tenantProfiles.count == 1)
  }

  @Test func `it works at a plain issuer`() throws {
    let application = try bench.application(issuer: "one")
    let alice = try bench.signIn(application).account
    _ = try application.currentAccount()
    try application.removeAccount(alice)
    let previous = try application.currentAccount().previousAccount
    #expect(previous?.homeAccountID == alice.homeAccountID)
    #expect(previous?.environment == alice.environment)
  }

  @Test func `who it is changes nothing in the list of the accounts`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let accounts = try application.accounts()
    _ = try application.currentAccount()
    #expect(try application.accounts() == accounts)
  }

  @Test func `a record of MSAL keeps what else is in it`() throws {
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
