// SPDX-License-Identifier: MIT
// Account lists: tokens are read only for accounts without sign-in metadata.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct AccountSnapshotTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func store() -> SQLiteStore {
    SQLiteStore(
      group: "group", directory: directory.path, protection: PlaintextProtection(),
      time: SystemTime())
  }

  /// Returns the records of an account with a refresh token, and sign-in metadata unless `state` is nil.
  private func records(of owner: String, _ state: SignInState?) -> [CacheRecord] {
    var token = CredentialRecord(type: .refreshToken, secret: Secret("secret"))
    token.homeAccountID = owner
    token.environment = "login.windows.net"
    token.clientID = "client"
    let account = AccountRecord(
      homeAccountID: owner, environment: "login.windows.net", realm: "tenant")
    guard let state else { return [.credential(token), .account(account)] }
    var metadata = AccountMetadataRecord(clientID: "client", homeAccountID: owner)
    if state == .signedIn { metadata.signIn(owner) } else { metadata.signOut(owner) }
    return [.credential(token), .account(account), .accountMetadata(metadata)]
  }

  private func commit(_ store: SQLiteStore, _ records: [CacheRecord]) throws {
    try store.commit(CacheChange(records.map(CacheChange.Step.put)), within: .none)
  }

  private func snapshot(_ store: SQLiteStore, for clientID: String?) throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    selection.clientID = clientID
    return try store.snapshot(selection, within: .none)
  }

  private func list(_ store: SQLiteStore, for clientID: String) throws -> [String] {
    AccountList.usable(by: clientID, try snapshot(store, for: clientID)).map(\.homeAccountID)
  }

  @Test(arguments: [1, 150])
  func `the account list is the same without the tokens of decided accounts`(_ count: Int) throws {
    let store = store()
    for index in 0..<count {
      try commit(
        store,
        records(of: "in \(index)", .signedIn) + records(of: "out \(index)", .signedOut)
          + records(of: "unknown \(index)", nil))
    }
    for client in ["client", "other"] {
      let all = AccountList.usable(by: client, try snapshot(store, for: nil))
      #expect(all.count == (client == "client" ? 2 * count : 0))
      #expect(try list(store, for: client) == all.map(\.homeAccountID))
    }
    guard count == 1 else { return }
    let read = try snapshot(store, for: "client").credentials.map(\.homeAccountID)
    #expect(read == ["unknown 0"])
  }

  @Test func `the next list includes sign-ins and sign-outs of another application`() throws {
    let (store, other) = (store(), store())
    try commit(store, records(of: "a", .signedIn))
    let version = try #require(try snapshot(store, for: "client").version)
    try commit(other, records(of: "b", .signedIn))
    #expect(!store.isCurrent(version))
    #expect(try list(store, for: "client") == ["a", "b"])
    let signOut = CacheChange.SignOut(
      homeAccountID: "a", clientID: "client", environments: ["login.windows.net"], isEntra: false)
    let second = try #require(try snapshot(store, for: "client").version)
    try other.commit(CacheChange([.signOut(signOut)]), within: .none)
    #expect(!store.isCurrent(second))
    #expect(try list(store, for: "client") == ["b"])
  }

  @Test func `a list that is updated by ranges equals a complete one`() throws {
    let (store, other) = (store(), store())
    var number = 7
    func owner() -> String {
      number = (number * 29 + 3) % 41
      return "owner \(number)"
    }
    // More than one page of rows, so that pages stay, change, split and are freed.
    try commit(store, (0..<140).flatMap { records(of: "owner \($0)", .signedIn) })
    var known: CachedAccountList?
    var partial = 0
    for round in 0..<60 {
      var selection = SnapshotSelection()
      selection.allAccounts = true
      selection.clientID = "client"
      selection.since = known?.list
      let snapshot = try store.snapshot(selection, within: .none)
      partial += snapshot.ranges == nil ? 0 : 1
      known = CachedAccountList(
        AccountList.usable(by: "client", snapshot), snapshot, after: known)
      let anew = try self.snapshot(other, for: "client")
      #expect(known?.accounts == AccountList.usable(by: "client", anew))
      switch round % 4 {
      case 0: try commit(other, records(of: owner(), .signedOut))
      case 1: try commit(other, records(of: owner() + " too", .signedIn))
      case 2: try commit(other, records(of: owner(), nil) + records(of: owner(), .signedIn))
      default:
        let signOut = CacheChange.SignOut(
          homeAccountID: owner(), clientID: "client", environments: ["login.windows.net"],
          isEntra: false)
        try other.commit(CacheChange([.signOut(signOut)]), within: .none)
      }
    }
    #expect(partial == 59)
  }

  @Test func `every range contains the bounds of its hashes`() {
    for range in 0..<AccountListVersion.rangeCount {
      let hashes = AccountListVersion.hashes(in: range)
      #expect(AccountListVersion.range(of: hashes.lowerBound) == range)
      #expect(AccountListVersion.range(of: hashes.upperBound) == range)
    }
  }
}
