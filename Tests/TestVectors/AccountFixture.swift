// SPDX-License-Identifier: MIT
// Stores with several accounts, and the only correct response to each request; shared by the tests of all languages.

package import TesseraCache
package import TesseraWire

/// A test case of `Tests/Vectors/accounts.json`.
package struct AccountFixture: Sendable {
  /// A call, its request as sent by a C caller, and the members that the response must have.
  package struct ExpectedResponse: Sendable {
    package let call: String
    package let request: JSONObject
    package let answer: JSONValue
  }

  package let name: String
  package let clientID: String
  package let authority: String
  package let authorityType: String
  /// The content of the store.
  package let change: CacheChange
  package let expectedResponses: [ExpectedResponse]

  package var testDescription: String { name }

  /// All cases, in the order of the file.
  package static let all = TestVector.all(in: "accounts", areas: "accounts").map(
    AccountFixture.init)

  private init(_ vector: TestVector) {
    name = vector.name
    clientID = vector.input["client_id"]?.string ?? ""
    authority = vector.input["authority"]?.string ?? ""
    authorityType = vector.input["authority_type"]?.string ?? "entra"
    change = CacheChange(
      (vector.input["records"]?.array ?? []).compactMap { record in
        CacheRecord(unified: record.object ?? JSONObject()).map(CacheChange.Step.put)
      })
    expectedResponses = (vector.expected.array ?? []).map { row in
      ExpectedResponse(
        call: row["call"]?.string ?? "", request: row["request"]?.object ?? JSONObject(),
        answer: row["answer"] ?? .null)
    }
  }
}

extension JSONValue {
  /// Whether a response has all expected members, with equal strings and numbers and arrays of equal length.
  ///
  /// An expected null matches an absent or null member.
  package func matches(_ found: JSONValue?) -> Bool {
    switch self {
    case .null: found == nil || found == .null
    case .object(let members):
      members.members.allSatisfy { $0.value.matches(found?[$0.name]) }
    case .array(let values):
      values.count == found?.array?.count
        && zip(values, found?.array ?? []).allSatisfy { $0.matches($1) }
    default: self == found
    }
  }
}
