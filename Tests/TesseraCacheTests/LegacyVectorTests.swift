// SPDX-License-Identifier: MIT
// The rules of two caches: what MSAL for Apple's own tests say of ADAL's beside the unified one.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct LegacyVectorTests {
  private let host = "login.microsoftonline.com"
  private let client = "test_client_id"

  @Test(arguments: TestVector.behaviour(besideLegacy: true))
  func `a behaviour vector of both caches holds`(_ vector: TestVector) throws {
    switch vector.name {
    case "refresh token found in the secondary cache": try expectFoundBeside(vector)
    case "same data, no authority":
      #expect(Int64(union(of: vector).count) == vector.expected["count"]?.integer)
    case "same data, alias data present, authority login.microsoft.com":
      let accounts = union(of: vector)
      #expect(Int64(accounts.count) == vector.expected["count"]?.integer)
      let expected = try #require(vector.expected["environment"]?.string)
      #expect(accounts.allSatisfy { expected.hasPrefix($0.environment) })
    case let name where name.hasPrefix("signed-out account hidden in both caches"):
      try expectHidden(vector)
    case "single-resource response stays legacy only": try expectSaved(vector)
    case let name where name.hasPrefix("ADAL 2.7 save"): try expectSaved(vector)
    case let name where name.hasPrefix("legacy lookup by home account id only"):
      try expectNoStranger(vector)
    case "legacy lookup without a user: two users are an error":
      let people = ["upn2@test.com", "upn@test.com"].map { item(user: $0) }
      #expect(LegacySearch().refreshToken(in: people) == .severalPeople(people.map(\.userID)))
      #expect(RefreshTokenSearch(LegacySearch()).token(snapshot([]), people) == nil)
    case "legacy clear by user only": try expectCleared(vector)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  private func item(user: String, family: String? = nil) -> LegacyItem {
    var item = LegacyItem(
      environment: host, realm: "common",
      clientID: family.map(LegacyItem.clientID) ?? client, userID: user)
    item.refreshToken = Secret("legacy token of \(user)")
    item.familyID = family
    return item
  }

  private func snapshot(_ records: [CacheRecord]) -> CacheSnapshot {
    CacheSnapshot(records: records, version: nil)
  }

  private func account(_ name: String, _ home: String, at host: String) -> CacheRecord {
    var record = AccountRecord(homeAccountID: home, environment: host, realm: "utid")
    record.username = name
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

  private func expectFoundBeside(_ vector: TestVector) throws {
    var person = LegacySearch()
    person.username = vector.input["query"]?["displayableId"]?.string
    person.homeAccountID = vector.input["query"]?["homeAccountId"]?.string
    person.clientID = vector.input["query"]?["clientId"]?.string
    person.environments = [host]
    person.realm = "common"
    let legacy = item(user: "Upn@test.com")
    let search = RefreshTokenSearch(person)
    #expect(search.token(snapshot([]), [legacy]) == .legacy(legacy))
    let own = snapshot([refreshToken("uid.utid", client: client)])
    #expect(search.token(own, [legacy]) == own.credentials.first.map { .unified($0) })
  }

  /// One person, stored under two hosts of a cloud.
  private func union(of vector: TestVector) -> [KnownAccount] {
    var union = AccountUnion()
    if let requested = vector.input["authority"]?.string.flatMap(WebAddress.init)?.authority {
      let aliases = vector.input["aliases"]?.array?.compactMap(\.string) ?? []
      union.environments = [requested] + aliases
    }
    let records = [host, "login.windows.net"].map { account("upn@test.com", "uid.utid", at: $0) }
    let accounts = union.accounts(snapshot(records), [])
    #expect(AccountUnion.people(accounts).count == 1)
    return accounts
  }

  private func expectHidden(_ vector: TestVector) throws {
    var union = AccountUnion()
    union.clientID = vector.input["query"]?["clientId"]?.string
    union.familyID = vector.input["query"]?["familyId"]?.string
    union.states = ["uid2.utid2": .signedOut]
    let records = [
      account("upn@test.com", "uid.utid", at: host),
      refreshToken("uid.utid", client: client, family: "1"),
      account("upn2@test.com", "uid2.utid2", at: host),
      refreshToken("uid2.utid2", client: "test_client_id2", family: "1"),
    ]
    let names = union.accounts(snapshot(records), [item(user: "upn2@test.com", family: "1")])
      .compactMap(\.username)
    #expect(names == vector.expected["usernames"]?.array?.compactMap(\.string))
    union.states = [:]
    #expect(union.accounts(snapshot(records), []).count == 2)
  }

  private func expectNoStranger(_ vector: TestVector) throws {
    var search = LegacySearch()
    search.homeAccountID = vector.input["query"]?["homeAccountId"]?.string
    let item = item(user: "upn@test.com")
    // MSAL finds it. Tessera takes nobody's token for somebody else's: docs/differences.md.
    #expect(vector.expected["found"]?.bool == true)
    #expect(search.refreshToken(in: [item]) == .nothing)
    var named = item
    named.homeAccountID = "UID2.utid2"
    #expect(search.refreshToken(in: [named]) == .found(named))
    named.homeAccountID = "uid.utid"
    search.username = "upn@test.com"
    #expect(search.refreshToken(in: [named]) == .nothing, "a name that has gone to somebody else")
  }

  private func expectCleared(_ vector: TestVector) throws {
    let items = try #require(vector.input["legacy"]?.array).compactMap(\.string).map {
      item(user: $0)
    }
    var search = LegacySearch()
    search.username = vector.input["call"]?["displayableId"]?.string
    let removed = search.removed(from: items)
    let left = items.filter { !removed.contains($0) }.map(\.userID)
    #expect(left == vector.expected["remaining"]?.array?.compactMap(\.string))
    #expect(LegacySearch().removed(from: items).isEmpty, "nobody was named")
  }
}

extension LegacyVectorTests {
  private func expectSaved(_ vector: TestVector) throws {
    let isSingle = vector.name.hasPrefix("single-resource")
    let receipt = LegacyReceipt(
      try receipt(family: vector.input["foci"]?.string), realm: "common",
      resource: isSingle ? nil : "https://graph.windows.net")
    expectItems(vector, receipt.items)
    var table = MemoryTable()
    receipt.change.apply(to: &table)
    var selection = SnapshotSelection()
    selection.owner = "uid.utid"
    try expectRecords(vector, snapshot(table.records(selection)))
  }

  private func expectItems(_ vector: TestVector, _ items: [LegacyItem]) {
    let expected = vector.expected["legacy"]
    let counts: [(String, LegacyItem.Kind)] = [
      ("AccessToken", .accessToken), ("RefreshToken", .refreshToken),
      ("LegacySingleResourceToken", .singleResource),
    ]
    for (name, kind) in counts {
      guard let count = expected?[name]?.integer else { continue }
      #expect(Int64(items.count { $0.kind == kind }) == count, "\(name)")
    }
    let shared = items.filter { $0.kind == .refreshToken }
    if let clients = expected?["client_ids"]?.array?.compactMap(\.string) {
      #expect(shared.map(\.clientID) == clients)
      #expect(shared.allSatisfy { $0.familyID == expected?["family_id_on_both"]?.string })
    }
    #expect(items.allSatisfy { $0.userID == "upn@test.com" && $0.homeAccountID == "uid.utid" })
  }

  private func expectRecords(_ vector: TestVector, _ found: CacheSnapshot) throws {
    guard let unified = vector.expected["unified"], unified.object != nil else {
      #expect(Int64(found.records.count) == vector.expected["unified"]?.integer)
      return
    }
    for name in ["AccessToken", "IdToken", "RefreshToken"] {
      guard let count = unified[name]?.integer else { continue }
      #expect(Int64(found.credentials.count { $0.type.name == name }) == count, "\(name)")
    }
    if let families = unified["family_ids"]?.array {
      #expect(Set(found.credentials.map(\.familyID)) == Set(families.map(\.string)))
      let client = unified["client_id_on_both"]?.string
      #expect(found.credentials.allSatisfy { $0.clientID == client })
    }
    let account = try #require(found.accounts.first)
    if let expected = unified["Account"] {
      #expect(account.username == expected["username"]?.string)
      #expect(account.realm == expected["realm"]?.string)
      #expect(account.environment == expected["environment"]?.string)
      #expect(account.homeAccountID == expected["homeAccountId"]?.string)
    }
  }

  /// A response of the older endpoint, with an ID token of upn@test.com in the tenant `tid`.
  private func receipt(family: String?) throws -> TokenReceipt {
    let claims = Base64URL.encode(Array(#"{"upn":"upn@test.com","tid":"tid","oid":"oid"}"#.utf8))
    var json: JSONObject = [
      "access_token": "at", "refresh_token": "rt", "id_token": .string("e30.\(claims).c2ln"),
      "client_info": .string(Base64URL.encode(Array(#"{"uid":"uid","utid":"utid"}"#.utf8))),
    ]
    if let family { json["foci"] = .string(family) }
    let arrival = Arrival(at: Instant(secondsSince1970: 1_600_000_000))
    let response = try TokenResponse(json, received: arrival)
    let words = try response.idToken.map { IDTokenClaims(try JSONWebToken($0)) }
    return TokenReceipt(
      response: response, claims: words,
      identity: try TokenIdentity(response, words, tenant: "common", expected: nil),
      clientID: client, environment: host, requestedScopes: Scopes([]), hasFamilies: true,
      received: arrival)
  }
}
