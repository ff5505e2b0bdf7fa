// SPDX-License-Identifier: MIT
// Cache behaviour, checked against test vectors of MSAL for Apple.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct BehaviourVectorTests {
  private let bench = TestBench()

  @Test(arguments: TestVector.behaviour(withLegacyCache: false))
  func `the cache behaves as in the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "MSAL save writes only the unified cache": try expectSaved(vector)
    case "MSAL save, family response": try expectFamily()
    case "no refresh token in the response": try expectNoRefreshToken(vector)
    case "family query is not satisfied by a client-only token":
      var query = CredentialQuery(CredentialKeyParts(type: .refreshToken))
      query.parts.familyID = vector.input["query"]?["familyId"]?.string
      #expect(!query.matches(credential(.refreshToken)))
    case "lookup by username only":
      let application = try bench.application()
      let home = try bench.signIn(application).account.homeAccountID
      let account = try application.account(username: LocalUser.alice.username.uppercased())
      #expect(account.homeAccountID == home)
    case "account with signed_in metadata but no refresh token is returned":
      try expectListed(vector)
    case "outdated refresh token is not removed": try expectPreserved(vector)
    case "clear cache without client id removes every client": try expectCleared(vector)
    case "AT partitioned by application identifier: different app sees nothing":
      var token = credential(.accessToken)
      token.target = "a"
      token.applicationIdentifier = vector.input["cached"]?["applicationIdentifier"]?.string
      var query = CredentialQuery(CredentialKeyParts(type: .accessToken))
      query.parts.clientID = "client"
      #expect(!query.matches(token))
      query.parts.applicationIdentifier = vector.input["query"]?["applicationIdentifier"]?.string
      #expect(!query.matches(token))
      query.parts.applicationIdentifier = token.applicationIdentifier
      #expect(query.matches(token))
    case "realm hint picks the matching tenant account":
      try expectTenant(vector)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  private func credential(_ type: CredentialType) -> CredentialRecord {
    var record = CredentialRecord(type: type, secret: Secret("secret"))
    record.homeAccountID = "home"
    record.environment = "host"
    record.clientID = "client"
    return record
  }

  private func records(of account: Account) throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    return try bench.store.snapshot(selection, within: .none)
  }

  private func expectCounts(_ vector: TestVector, _ snapshot: CacheSnapshot) {
    for member in vector.expected["unified"]?.object?.members ?? [] {
      let found = snapshot.credentials.filter { $0.type.name == member.name }
      let count = member.name == "Account" ? snapshot.accounts.count : found.count
      #expect(Int64(count) == member.value.integer, "\(member.name)")
    }
  }

  private func expectSaved(_ vector: TestVector) throws {
    let result = try bench.signIn(bench.application())
    expectCounts(vector, try records(of: result.account))
  }

  private func expectFamily() throws {
    try bench.provider.perform(.set([.familyClients(["client"])]))
    let result = try bench.signIn(bench.application())
    let tokens = try records(of: result.account).credentials.filter { $0.type == .refreshToken }
    #expect(tokens.count == 2)
    #expect(tokens.count { $0.familyID != nil } == 1)
    #expect(tokens.allSatisfy { $0.clientID == "client" })
  }

  private func expectNoRefreshToken(_ vector: TestVector) throws {
    let network = bench.transport
    let application = try bench.application(transport: WithoutRefreshTokens(network: network))
    expectCounts(vector, try records(of: try bench.signIn(application).account))
  }

  private func expectListed(_ vector: TestVector) throws {
    let words = try #require(vector.input["account_record"]?.string).split(separator: " ")
    let home = try #require(words.first.map(String.init))
    let cloud = try #require(CloudTable.cloud(of: "login.microsoftonline.com"))
    var record = AccountRecord(
      homeAccountID: home, environment: cloud.preferredCache, realm: "utid4")
    record.username = words.last.map(String.init)
    let signIn = CacheChange.Step.signIn(
      homeAccountID: home, clientID: "client", requested: "a", result: "a")
    try bench.store.commit(CacheChange([.mergeAccount(record), signIn]), within: .none)
    let accounts = try bench.application().accounts()
    #expect(accounts.contains { $0.homeAccountID == home } == vector.expected["included"]?.bool)
  }

  private func expectTenant(_ vector: TestVector) throws {
    let tenants = ["A": "common", "B": "contoso.onmicrosoft.com"]
    let signedIn = try tenants.mapValues { tenant in
      try bench.signIn(bench.application(tenant: tenant), as: .carol)
    }
    let hint = try #require(vector.input["realmHint"]?.string)
    let application = try bench.application(tenant: try #require(tenants[hint]))
    let account = try #require(try application.accounts().first)
    let found = try application.acquireTokenSilent(
      SilentRequest(account: account, scopes: ["user.read"]))
    #expect(found.source == .cache)
    let realms = signedIn.filter { $0.value.tenantID == found.tenantID }.keys
    #expect(Array(realms) == [vector.expected["realm"]?.string])
  }

  private func expectCleared(_ vector: TestVector) throws {
    let clients = try #require(vector.input["clients"]?.array).compactMap(\.string)
    var account: Account?
    for client in clients {
      account = try bench.signIn(bench.application(client: client)).account
    }
    let person = try #require(account)
    #expect(try records(of: person).credentials.count == 3 * clients.count)
    var request = SignOutRequest(account: person)
    request.scope = .everyApplication
    _ = try bench.application(client: clients[0]).signOut(request)
    let legacyItem = try records(of: person).credentials
    for member in vector.expected.object?.members ?? [] {
      #expect(Int64(legacyItem.count { $0.type.name == member.name }) == member.value.integer)
    }
  }

  private func expectPreserved(_ vector: TestVector) throws {
    var cached = credential(.refreshToken)
    cached["secret"] = vector.input["cached"]?.string
    var outdated = cached
    outdated["secret"] = vector.input["call"]?.string
    let change = CacheChange([.put(.credential(cached)), .removeIfUnchanged(outdated)])
    try bench.store.commit(change, within: .none)
    var selection = SnapshotSelection()
    selection.owner = "home"
    let legacyItem = try bench.store.snapshot(selection, within: .none).credentials
    #expect(legacyItem.isEmpty == vector.expected["removed"]?.bool)
  }
}

/// A transport that removes the refresh token from each response.
private struct WithoutRefreshTokens: Transport {
  let network: LocalTransport

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let response = try network.send(request, within: limits)
    guard var json = response.json, json["refresh_token"] != nil else { return response }
    json["refresh_token"] = nil
    return .json(.object(json), status: response.status)
  }
}
