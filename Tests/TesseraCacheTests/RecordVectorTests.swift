// SPDX-License-Identifier: MIT
// Records as JSON: known members, unknown members and records that do not load.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct RecordVectorTests {
  /// The names of the record members by their names in the vectors.
  private static let memberNames = [
    "environment": "environment", "clientId": "client_id", "realm": "realm",
    "homeAccountId": "home_account_id", "enrollmentId": "enrollment_id",
    "redirectUri": "redirect_uri", "cachedAt": "cached_at", "expiresOn": "expires_on",
    "refreshOn": "refresh_on", "extendedExpiresOn": "extended_expires_on", "target": "target",
    "speInfo": "spe_info", "familyId": "family_id", "boundDeviceId": "bound_device_id",
    "lastRecoveryAttempt": "recovery_attempted_at",
    "recoveryAttemptCount": "recovery_attempt_count",
    "lastRecoveryAttemptFailed": "last_recovery_attempt_failed",
  ]

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.credential-json"))
  func `credential records match the vector`(_ vector: TestVector) throws {
    guard let stored = vector.input["json"]?.object else {
      return try expectRecord(vector)
    }
    let record = CredentialRecord(members: stored)
    #expect((record != nil) == vector.expected["loads"]?.bool)
    #expect(record?.familyID == vector.expected["familyId"]?.string)
    if let record { #expect(record.members == stored) }
  }

  private func expectRecord(_ vector: TestVector) throws {
    let input = try #require(vector.input.object)
    let type = try #require(input["credentialType"]?.string.flatMap(CredentialType.init(name:)))
    var record = CredentialRecord(type: type, secret: Secret(input["secret"]?.string ?? ""))
    for member in input.members where member.name != "credentialType" && member.name != "secret" {
      record[try #require(Self.memberNames[member.name])] = member.value.text
    }
    #expect(.object(record.members) == vector.expected)
    #expect(CredentialRecord(members: record.members) == record)
  }

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.account-json"))
  func `account records match the vector`(_ vector: TestVector) throws {
    let expected = try #require(vector.expected["json"])
    if let stored = vector.input["json"]?.object {
      #expect(.object(try #require(AccountRecord(members: stored)).members) == expected)
    } else {
      let first = try #require(vector.input["first"]?.object.flatMap(AccountRecord.init))
      var overlay = first.members
      for member in try #require(vector.input["overlay"]?.object).members {
        overlay[member.name] = member.value
      }
      let second = try #require(AccountRecord(members: overlay))
      #expect(.object(first.overlaid(with: second).members) == expected)
    }
  }

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.account-metadata-json"))
  func `account metadata records match the vector`(_ vector: TestVector) throws {
    var record = AccountMetadataRecord(
      clientID: try #require(vector.input["clientId"]?.string))
    for entry in try #require(vector.input["setCachedURL"]?.array) {
      let parts = try #require(entry.array)
      record.signIn(
        try #require(parts[0].string), requested: parts[1].string, result: parts[2].string,
        instanceAware: parts[3].bool == true)
    }
    #expect(.object(record.members) == vector.expected)
  }

  @Test func `a sign-out discards the resolved authorities`() {
    var record = AccountMetadataRecord(clientID: "client")
    record.signIn("home", requested: "https://a/common", result: "https://a/tenant")
    #expect(record.authority(for: "https://a/common", of: "home") == "https://a/tenant")
    record.signOut("home")
    #expect(record.state(of: "home") == .signedOut)
    #expect(record.authority(for: "https://a/common", of: "home") == nil)
  }

  @Test func `a deleted credential does not load`() {
    let members: JSONObject = [
      "credential_type": "RefreshToken", "secret": "<tombstone>", "environment": "e",
      "client_id": "c",
    ]
    #expect(CredentialRecord(members: members) == nil)
  }

  @Test func `a discovery record loads only with an authority and a configuration`() {
    let configuration = JSONValue.object(JSONObject())
    var members = JSONObject([("configuration", configuration)])
    #expect(DiscoveryRecord(members: members) == nil)
    members["authority"] = "https://a.example"
    #expect(DiscoveryRecord(members: members) != nil)
    members["configuration"] = "none"
    #expect(DiscoveryRecord(members: members) == nil)
  }
}
