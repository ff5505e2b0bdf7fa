// SPDX-License-Identifier: MIT
// A store with people in it, and questions with their only right answers: for the tests of every language.

package import TesseraCache
package import TesseraWire

/// One case of `Tests/Vectors/accounts.json`.
package struct AccountFixture: Sendable {
  /// A call, its request as C would write it, and the members that its answer must have.
  package struct Question: Sendable {
    package let call: String
    package let request: JSONObject
    package let answer: JSONValue
  }

  package let name: String
  package let clientID: String
  package let authority: String
  package let authorityType: String
  /// What lies in the store.
  package let change: CacheChange
  package let questions: [Question]

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
    questions = (vector.expected.array ?? []).map { row in
      Question(
        call: row["call"]?.string ?? "", request: row["request"]?.object ?? JSONObject(),
        answer: row["answer"] ?? .null)
    }
  }
}

extension JSONValue {
  /// Whether an answer has everything that is expected: the same texts and numbers, lists of one length, null for none.
  package func fits(_ found: JSONValue?) -> Bool {
    switch self {
    case .null: found == nil || found == .null
    case .object(let members):
      members.members.allSatisfy { $0.value.fits(found?[$0.name]) }
    case .array(let values):
      values.count == found?.array?.count
        && zip(values, found?.array ?? []).allSatisfy { $0.fits($1) }
    default: self == found
    }
  }
}
