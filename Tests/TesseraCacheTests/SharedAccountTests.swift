// SPDX-License-Identifier: MIT
// Accounts that programs of one maker share, and the names by which ADAL knows people.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct SharedAccountTests {
  @Test(arguments: TestVector.all(in: "shared_accounts", areas: "shared-accounts"))
  func `a shared account vector holds`(_ vector: TestVector) throws {
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

  @Test func `a personal account has its digits for an identifier`() throws {
    let account = try SharedAccount([
      "id": "x", "type": "MSA", "cid": "40C03BAC188D0D10", "email": "user@outlook.com",
      "signInStatus": ["com.a": "SignedIn", "com.b": "SignedOut"],
    ])
    let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    #expect(account.homeAccountID == "00000000-0000-0000-40c0-3bac188d0d10.\(tenant)")
    #expect(account.environment == "login.windows.net")
    #expect(account.isVisible(to: "com.a", signedInOnly: true))
    #expect(!account.isVisible(to: "com.b", signedInOnly: true))
    #expect(account.isVisible(to: "com.b", signedInOnly: false))
  }

  @Test(arguments: ["", "40c0", "40c03bac188d0d1x", "40c03bac188d0d101"])
  func `digits that are none are refused`(_ cid: String) {
    let json: JSONObject = ["id": "x", "type": "MSA", "cid": .string(cid)]
    #expect(throws: WireError.self) { try SharedAccount(json) }
  }

  @Test func `who signed out everywhere is hidden`() throws {
    let account = try SharedAccount([
      "id": "x", "type": "ADAL", "authEndpointUrl": "https://login.windows.net/common",
      "signInStatus": ["com.a": "SignedOut"],
    ])
    #expect(!account.isVisible(to: "com.a", signedInOnly: false))
    #expect(account.homeAccountID == nil)
  }

  @Test(arguments: TestVector.all(in: "legacy", areas: "legacy.user-id"))
  func `a name vector holds`(_ vector: TestVector) throws {
    let claims = IDTokenClaims(members: try #require(vector.input["claims"]?.object))
    #expect(LegacyItem.userID(of: claims) == vector.expected["userId"]?.string)
  }

  @Test(arguments: TestVector.all(in: "legacy", areas: "legacy.family-client-id"))
  func `a family vector holds`(_ vector: TestVector) {
    let family = vector.input["familyId"]?.string
    #expect(LegacyItem.clientID(ofFamily: family) == vector.expected.string)
  }
}
