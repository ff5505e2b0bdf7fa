// SPDX-License-Identifier: MIT
// The unified cache together with ADAL's, checked against test vectors of MSAL for Apple.

import TesseraCache
import TesseraEngine
import TesseraWire
import TestVectors
import Testing

@testable import TesseraLegacy

@Suite struct LegacyVectorTests {
  private let host = "login.microsoftonline.com"
  private let client = "test_client_id"

  @Test(arguments: TestVector.behaviour(withLegacyCache: true))
  func `both caches behave as in the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "refresh token found in the secondary cache": try expectFoundInBothCaches(vector)
    case let name where name.hasPrefix("same data"):
      // MSAL has two entries per account, without an authority. They are one account, and so they are here.
      let records = [host, "login.windows.net"].map { account("upn@test.com", "uid.utid", at: $0) }
      let found = AccountList.usable(
        by: client, snapshot(records + [refreshToken("uid.utid", client: client)]))
      #expect(found.count == 1)
    case let name where name.hasPrefix("signed-out account hidden in both caches"):
      try expectHidden(vector)
    case "single-resource response stays legacy only": expectSingle()
    case let name where name.hasPrefix("ADAL 2.7 save"): try expectSaved(vector)
    case let name where name.hasPrefix("legacy lookup by home account id only"):
      expectNoOtherAccount(vector)
    case "legacy lookup without a user: two users are an error":
      let people = ["upn2@test.com", "upn@test.com"].map { item(user: $0) }
      #expect(LegacySearch(clientID: client).candidates(in: people).isEmpty)
    case "legacy clear by user only": try expectCleared(vector)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  private func item(user: String, client: String? = nil, family: String? = nil) -> LegacyItem {
    var item = LegacyItem(
      environment: host, realm: "common", clientID: client ?? self.client, userID: user)
    item.refreshToken = Secret("legacy token of \(user) for \(client ?? "")")
    item.familyID = family
    return item
  }

  private func snapshot(_ records: [CacheRecord], _ items: [LegacyItem] = []) -> CacheSnapshot {
    var table = MemoryTable()
    for record in records { table.put(record) }
    CacheChange(items.map { .legacy(name: $0.userID, .merge([$0])) }).apply(to: &table)
    var selection = SnapshotSelection()
    selection.allAccounts = true
    return CacheSnapshot(records: selection.records(in: table), version: nil)
  }

  private func account(_ name: String, _ home: String, at host: String) -> CacheRecord {
    var record = AccountRecord(homeAccountID: home, environment: host, realm: "utid")
    record.username = name
    record["client_info"] = "e30"
    return .account(record)
  }

  private func refreshToken(_ home: String, client: String, family: String? = nil) -> CacheRecord {
    var record = CredentialRecord(type: .refreshToken, secret: Secret("token of \(home)"))
    record.homeAccountID = home
    record.environment = host
    record.clientID = client
    record.familyID = family
    return .credential(record)
  }
}

extension LegacyVectorTests {
  private func expectFoundInBothCaches(_ vector: TestVector) throws {
    let query = try #require(vector.input["query"])
    var search = LegacySearch(clientID: query["clientId"]?.string ?? "")
    search.username = query["displayableId"]?.string
    search.homeAccountID = query["homeAccountId"]?.string
    search.environments = [host]
    search.realm = "common"
    let legacy = item(user: "Upn@test.com")
    #expect(search.candidates(in: [legacy, item(user: "upn2@test.com")]) == [legacy])
  }

  private func expectHidden(_ vector: TestVector) throws {
    let client = try #require(vector.input["query"]?["clientId"]?.string)
    var metadata = AccountMetadataRecord(clientID: client, homeAccountID: "uid2.utid2")
    metadata.signOut("uid2.utid2")
    let records = [
      account("upn@test.com", "uid.utid", at: host),
      refreshToken("uid.utid", client: self.client, family: "1"),
      account("upn2@test.com", "uid2.utid2", at: host),
      refreshToken("uid2.utid2", client: client, family: "1"),
    ]
    let items = [item(user: "upn2@test.com", client: client, family: "1")]
    let names = AccountList.usable(
      by: client, snapshot(records + [.accountMetadata(metadata)], items)
    ).compactMap(\.username)
    #expect(names == vector.expected["usernames"]?.array?.compactMap(\.string))
    let all = AccountList.usable(by: client, snapshot(records, items))
    #expect(all.compactMap(\.username) == ["upn@test.com", "upn2@test.com"])
  }

  /// An account that ADAL 2.7 stored in both caches is listed once, and the unified token is used.
  private func expectSaved(_ vector: TestVector) throws {
    let family = vector.input["foci"]?.string
    var items = [item(user: "upn@test.com", family: family)]
    if let family {
      items.append(
        item(user: "upn@test.com", client: LegacyItem.clientID(ofFamily: family), family: family))
    }
    for index in items.indices { items[index].homeAccountID = "uid.utid" }
    let records = [
      account("upn@test.com", "uid.utid", at: host), refreshToken("uid.utid", client: client),
    ]
    let found = AccountList.usable(by: client, snapshot(records, items))
    #expect(found.map(\.homeAccountID) == ["uid.utid"])
    var search = LegacySearch(clientID: client)
    search.homeAccountID = "uid.utid"
    search.familyID = family
    let clients = vector.expected["legacy"]?["client_ids"]?.array?.compactMap(\.string) ?? [client]
    #expect(search.candidates(in: items).map(\.clientID) == clients)
  }

  /// A single-resource token is in ADAL's cache only, and is the last candidate.
  private func expectSingle() {
    var single = item(user: "upn@test.com")
    single.accessToken = Secret("for the resource")
    single.resource = "https://graph.windows.net"
    #expect(single.kind == .singleResource)
    var search = LegacySearch(clientID: client)
    search.username = "upn@test.com"
    var other = item(user: "upn@test.com")
    other.refreshToken = Secret("for every resource")
    #expect(search.candidates(in: [single, other]) == [other, single])
  }

  private func expectNoOtherAccount(_ vector: TestVector) {
    var search = LegacySearch(clientID: client)
    search.homeAccountID = vector.input["query"]?["homeAccountId"]?.string
    let item = item(user: "upn@test.com")
    // MSAL finds this token. Tessera requires a matching account: docs/differences.md.
    #expect(vector.expected["found"]?.bool == true)
    #expect(search.candidates(in: [item]).isEmpty)
    var named = item
    named.homeAccountID = "UID2.utid2"
    #expect(search.candidates(in: [named]) == [named])
    named.homeAccountID = "uid.utid"
    search.username = "upn@test.com"
    #expect(search.candidates(in: [named]).isEmpty, "a name that belongs to a different user")
  }

  private func expectCleared(_ vector: TestVector) throws {
    let items = try #require(vector.input["legacy"]?.array).compactMap(\.string).map {
      item(user: $0)
    }
    var table = MemoryTable()
    CacheChange(items.map { .legacy(name: $0.userID, .merge([$0])) }).apply(to: &table)
    let name = try #require(vector.input["call"]?["displayableId"]?.string)
    CacheChange([.legacy(name: name, .signOut(LegacyUser(homeAccountID: nil), clientID: nil))])
      .apply(to: &table)
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let snapshot = CacheSnapshot(records: selection.records(in: table), version: nil)
    let legacyItem = snapshot.legacyAccounts
      .filter { !$0.items.isEmpty }.map(\.name)
    #expect(legacyItem == vector.expected["remaining"]?.array?.compactMap(\.string))
  }
}
