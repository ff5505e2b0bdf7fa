// SPDX-License-Identifier: MIT
// Tests of client_info and the home account ID in it.

import TesseraWire
import TestVectors
import Testing

@Suite struct ClientInfoTests {
  @Test(arguments: TestVector.all(in: "unified_cache", areas: "identity.home-account-id"))
  func `client_info contains the home account ID`(_ vector: TestVector) throws {
    let info = try ClientInfo(try #require(vector.input["client_info"]?.string))
    #expect(info.uid == vector.input["decoded"]?["uid"]?.string)
    #expect(info.utid == vector.input["decoded"]?["utid"]?.string)
    #expect(info.homeAccountID == vector.expected.string)
  }

  @Test(arguments: TestVector.all(in: "scopes_and_accounts", areas: "account_id"))
  func `client_info decodes as in the shared vectors`(_ vector: TestVector) throws {
    let text = try #require(vector.input.string)
    guard let id = vector.expected["home_account_id"]?.string else {
      #expect(throws: WireError.self) { try ClientInfo(text) }
      return
    }
    #expect(try ClientInfo(text).homeAccountID == id)
  }

  @Test(arguments: ["", "e30", "bm90IGpzb24", "eyJ1aWQiOjF9"])
  func `client_info without uid and utid is rejected`(_ text: String) {
    #expect(throws: WireError.self) { try ClientInfo(text) }
  }
}
