// SPDX-License-Identifier: MIT
// Keys of the unified schema, compared with vectors.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct KeyVectorTests {
  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.credential-key"))
  func `credential keys match the vector`(_ vector: TestVector) throws {
    let parts = try CredentialKeyParts(vector.input)
    expect(vector.expected, account: parts.account, service: parts.service, generic: parts.generic)
    #expect(parts.type.number == vector.expected["type"]?.integer.map(Int.init))
  }

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.account-key"))
  func `account keys match the vector`(_ vector: TestVector) throws {
    var record = AccountRecord(
      homeAccountID: try #require(vector.input["homeAccountId"]?.string),
      environment: try #require(vector.input["environment"]?.string),
      realm: try #require(vector.input["realm"]?.string))
    record.username = vector.input["username"]?.string
    expect(vector.expected, record.key)
  }

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.appmetadata-key"))
  func `app metadata keys match the vector`(_ vector: TestVector) throws {
    let record = AppMetadataRecord(
      clientID: try #require(vector.input["clientId"]?.string),
      environment: try #require(vector.input["environment"]?.string),
      familyID: vector.input["familyId"]?.string ?? "")
    expect(vector.expected, record.key)
  }

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.account-metadata-key"))
  func `account metadata keys match the vector`(_ vector: TestVector) throws {
    let client = try #require(vector.input["clientId"]?.string)
    expect(vector.expected, AccountMetadataRecord(clientID: client).key)
  }

  @Test func `users with identifiers that differ only in case do not share a record`() {
    func key(_ subject: String) -> RecordKey {
      AccountRecord(homeAccountID: subject, environment: "issuer.example", realm: "").key
    }
    #expect(key("aBc") != key("abc"))
    #expect(key("aBc").number != key("abc").number)
    #expect(key("aBc").account == key("abc").account)
  }

  private func expect(_ expected: JSONValue, _ key: RecordKey) {
    expect(expected, account: key.account, service: key.service, generic: key.generic)
    #expect(expected["type"]?.integer == Int64(key.type))
  }

  /// Compares the attributes in a vector; null means that an attribute is `nil`.
  private func expect(
    _ expected: JSONValue, account: String?, service: String?, generic: String?
  ) {
    for (name, value) in [("account", account), ("service", service), ("generic", generic)] {
      guard let wanted = expected[name] else { continue }
      #expect(wanted.string == value, "\(name)")
    }
  }
}

extension CredentialKeyParts {
  /// Creates the parts from a vector.
  fileprivate init(_ input: JSONValue) throws {
    let name = input["credentialType"]?.string
    self.init(type: try #require(name.flatMap(CredentialType.init(name:))))
    homeAccountID = input["homeAccountId"]?.string
    environment = input["environment"]?.string
    clientID = input["clientId"]?.string
    familyID = input["familyId"]?.string
    realm = input["realm"]?.string
    target = input["target"]?.string
    tokenType = input["tokenType"]?.string
    applicationIdentifier = input["applicationIdentifier"]?.string
    requestedClaims = input["requestedClaims"]?.string
  }
}
