// SPDX-License-Identifier: MIT
// Accounts shared between the applications of a publisher, and the user names that ADAL derives from claims.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct SharedAccountTests {
  @Test(arguments: TestVector.all(in: "shared_accounts", areas: "shared-accounts"))
  func `a shared account is parsed as in the vector`(_ vector: TestVector) throws {
    let json = try #require(vector.input["json"]?.object)
    if let problem = vector.expected["error"]?.string {
      let error = #expect(throws: WireError.self) { try SharedAccount(json) }
      #expect(error?.message == problem)
      return
    }
    let account = try SharedAccount(json)
    for member in try #require(vector.expected.object).members {
      switch member.name {
      case "environment": #expect(account.environment == member.value.string)
      case "identifier": #expect(account.homeAccountID == member.value.string)
      case "username": #expect(account.username == member.value.string)
      case "claims": #expect(account.claims == member.value.object)
      default: Issue.record("no test for \(member.name)")
      }
    }
  }

  @Test func `the ID of a personal account is derived from its CID`() throws {
    let account = try SharedAccount([
      "id": "x", "type": "MSA", "cid": "40C03BAC188D0D10", "email": "user@outlook.com",
      "signInStatus": ["com.a": "SignedIn", "com.b": "SignedOut"],
    ])
    let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    #expect(account.homeAccountID == "00000000-0000-0000-40c0-3bac188d0d10.\(tenant)")
    #expect(account.environment == "login.windows.net")
    #expect(account.isVisible)
  }

  @Test(arguments: ["", "40c0", "40c03bac188d0d1x", "40c03bac188d0d101"])
  func `an invalid CID is rejected`(_ cid: String) {
    let json: JSONObject = ["id": "x", "type": "MSA", "cid": .string(cid)]
    #expect(throws: WireError.self) { try SharedAccount(json) }
  }

  @Test func `an account that is signed out of every application is hidden`() throws {
    let account = try SharedAccount([
      "id": "x", "type": "ADAL", "authEndpointUrl": "https://login.windows.net/common",
      "signInStatus": ["com.a": "SignedOut"],
    ])
    #expect(!account.isVisible)
    #expect(account.homeAccountID == nil)
  }

  @Test(arguments: TestVector.all(in: "legacy", areas: "legacy.user-id"))
  func `the user name is derived as in the vector`(_ vector: TestVector) throws {
    let claims = IDTokenClaims(members: try #require(vector.input["claims"]?.object))
    #expect(LegacyItem.userID(of: claims) == vector.expected["userId"]?.string)
  }

  @Test(arguments: TestVector.all(in: "legacy", areas: "legacy.family-client-id"))
  func `the client ID of a family matches the vector`(_ vector: TestVector) {
    let family = vector.input["familyId"]?.string
    #expect(LegacyItem.clientID(ofFamily: family) == vector.expected.string)
  }
}

extension SharedAccountTests {
  private func emitted(_ lists: [String: JSONValue]) -> ParsedEntries {
    let lines = lists.sorted { $0.key < $1.key }.map { account, list in
      JSONValue.object(
        KeychainItem(account: account, service: "shared", value: list.bytes).json
      ).serialized
    }
    return ParsedEntries(lines.joined(separator: "\n"), as: .appleKeychain)
  }

  private func list(_ written: Int64?, _ names: String...) -> JSONValue {
    var members = JSONObject()
    members.append("lastWriteTimestamp", written.map(JSONValue.integer))
    for name in names {
      members[name] = [
        "id": .string(name), "type": "ADAL", "username": .string(name),
        "authEndpointUrl": "https://login.windows.net/common",
      ]
    }
    return .object(members)
  }

  @Test func `an older list version is read only if it was written later`() {
    func names(_ lists: [String: JSONValue]) -> Set<String> {
      let emitted = emitted(lists)
      #expect(emitted.items.allSatisfy { $0.isShared && $0.kind == .account })
      #expect(emitted.preserved.isEmpty && emitted.damaged.isEmpty && emitted.end == nil)
      return Set(emitted.items.map(\.userID))
    }
    #expect(names(["AccountsV3": list(2, "a"), "AccountsV2": list(1, "b")]) == ["a"])
    #expect(names(["AccountsV3": list(1, "a"), "AccountsV2": list(2, "b")]) == ["a", "b"])
    #expect(names(["AccountsV1": list(nil, "a")]) == ["a"])
    // An older list ends the search, regardless of the remaining ones.
    let older = ["AccountsV2": list(4, "b"), "AccountsV1": list(9, "c")]
    #expect(names(older.merging(["AccountsV3": list(5, "a")]) { $1 }) == ["a"])
    #expect(emitted(["AccountsV3": list(1, "a"), "AccountsV2": list(2, "a")]).items.count == 1)
  }

  @Test func `an invalid list is reported as damaged without affecting others`() {
    let emitted = emitted(["AccountsV2": 5, "AccountsV3": list(1, "a")])
    #expect(emitted.damaged.map(\.code) == ["shared_account_invalid"])
    #expect(emitted.items.map(\.userID) == ["a"])
  }
  @Test func `lists beyond the maximum number of services are reported as damaged`() {
    let lines = (0..<70).map { number in
      JSONValue.object(
        KeychainItem(
          account: "AccountsV3", service: "maker \(number)", value: list(1, "a\(number)").bytes
        ).json
      ).serialized
    }
    let emitted = ParsedEntries(lines.joined(separator: "\n"), as: .appleKeychain)
    #expect(emitted.items.count == 64 && emitted.damaged.count == 6)
    #expect(emitted.damaged.allSatisfy { $0.message.contains("more than 64 services") })
  }
}
