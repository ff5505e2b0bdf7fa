// SPDX-License-Identifier: MIT
// Files with records of the unified schema that other libraries wrote, and the keys of those libraries.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct UnifiedRecordTests {
  @Test func `the MSAL.NET dictionary contains a record of each type`() throws {
    let bytes = TestVector.bytes(of: "legacy-archives/cachecompat_dotnet_dictionary.bin")
    #expect(LegacyFormat.detectedFormat(in: bytes) == .msalDotNet)
    let emitted = ParsedEntries(bytes, as: .msalDotNet)
    #expect(emitted.records.count == 4 && emitted.damaged.isEmpty && emitted.end == nil)
    let credentials = emitted.records.compactMap { record in
      if case .credential(let credential) = record { credential } else { nil }
    }
    #expect(credentials.map(\.type) == [.accessToken, .refreshToken, .idToken])
    #expect(
      credentials.allSatisfy { $0.clientID == "b945c513-3946-4ecd-b179-6499803a2167" })
    let home = "13dd2c19-84cd-416a-ae7d-49573e425619.26039cce-489d-4002-8293-5b0c5134eacb"
    #expect(emitted.records.allSatisfy { $0.owner == home })
    guard case .account(let account) = emitted.records.last else {
      Issue.record("the last record is the account")
      return
    }
    #expect(account.username == "abhi@ddobalianoutlook.onmicrosoft.com")
    #expect(account.environment == "login.windows.net" && account.name == "Abhi Test")
  }

  /// The file of MSAL for Python is so old that its access token has an array of scopes, which is not supported.
  @Test(arguments: [
    ("cachecompat_python.bin", 3, [LegacyEntry.Preserved.unknown]),
    ("token_cache_adfs.json", 5, []),
  ])
  func `a file of another library is parsed regardless of its keys`(
    _ name: String, _ count: Int, _ preserved: [LegacyEntry.Preserved]
  ) {
    let bytes = TestVector.bytes(of: "legacy-archives/\(name)")
    #expect(LegacyFormat.detectedFormat(in: bytes) == .msalMacOS)
    let emitted = ParsedEntries(bytes, as: .msalMacOS)
    #expect(emitted.records.count == count && emitted.preserved == preserved)
    #expect(emitted.damaged.isEmpty && emitted.end == nil)
    let refreshTokens = emitted.records.filter { record in
      if case .credential(let token) = record { token.type == .refreshToken } else { false }
    }
    #expect(refreshTokens.count == 1)
  }

  @Test func `damaged or unknown entries do not affect other records`() {
    let account = #"{"home_account_id":"h","environment":"e","realm":"r","authority_type":"MSSTS"}"#
    let file =
      #"{"Account":{"1":\#(account),"2":"x","3":{"authority_type":"?"},"4":{"a":1,}},"#
      + #""Other":{"a":1},"IdToken":null,"RefreshToken":[],"AccountMetadata":{"1":\#(account)}}"#
    let emitted = ParsedEntries(file, as: .msalMacOS)
    #expect(emitted.records.count == 2 && emitted.end == nil)
    #expect(emitted.preserved == [.unknown, .unknown])
    #expect(emitted.damaged.map(\.entry) == [1, 3, 5, 6])
    let lists = #"[{"Key":"accounts","Value":["{}",1,\#(quoted(account))]},2,{"Value":3},{}]"#
    let other = ParsedEntries(lists, as: .msalDotNet)
    #expect(other.records.count == 1 && other.end == nil && other.preserved == [.unknown])
    #expect(other.damaged.count == 3)
  }

  @Test func `a dictionary with too many lists is rejected as cache_too_large`() {
    let list = #"{"Key":"accounts","Value":[]}"#
    let lists = Array(repeating: list, count: LegacyLimits.entries + 1).joined(separator: ",")
    let emitted = ParsedEntries("[\(lists)]", as: .msalDotNet)
    #expect(emitted.records.isEmpty && emitted.end?.code == "cache_too_large")
  }

  @Test(arguments: TestVector.all(in: "other_libraries", areas: "other-sdk.java-json"))
  func `an MSAL for Java entity has the key of its members`(_ vector: TestVector) throws {
    let members = try #require(vector.input["entity"]?.object)
    let record = try #require(CacheRecord(unified: members))
    #expect(keyText(record) == vector.expected["key"]?.string)
  }

  @Test(arguments: TestVector.all(in: "other_libraries", areas: "other-sdk.dotnet-key"))
  func `record keys match those of MSAL for .NET`(_ vector: TestVector) throws {
    let record = try #require(CacheRecord(unified: try entity(vector)))
    let expected = vector.expected
    #expect(keyText(record) == expected["jsonKey"]?.string)
    if let account = expected["account"]?.string { #expect(record.key.account == account) }
    #expect(record.key.service == expected["service"]?.string)
    #expect(record.key.generic == expected["generic"]?.string)
    // MSAL for .NET uses the type number of bearer tokens for key-bound tokens.
    let isBound = vector.name == "PoP AccessToken"
    #expect(Int64(record.key.type) == (isBound ? 2007 : expected["type"]?.integer))
  }

  /// Returns the entity for the key in a vector.
  ///
  /// Each vector of the series states only its differences.
  private func entity(_ vector: TestVector) throws -> JSONObject {
    var members: JSONObject = [
      "home_account_id": "uid.utid", "environment": "login.microsoftonline.com",
      "client_id": vector.input["clientId"] ?? "clientId", "realm": "contoso.com", "secret": "s",
    ]
    switch vector.name {
    case "AccessToken", "PoP AccessToken":
      let isBound = vector.input["token_type"] == "pop"
      members["credential_type"] = isBound ? "AccessToken_With_AuthScheme" : "AccessToken"
      members["target"] = "user.read user.write"
      members["token_type"] = vector.input["token_type"]
      if isBound { members["kid"] = "kid" }
    case "Family RefreshToken":
      members["credential_type"] = "RefreshToken"
      members["family_id"] = vector.input["family"]
    case "IdToken": members["credential_type"] = "IdToken"
    case "AppMetadata":
      return [
        "client_id": "clientId", "environment": "login.microsoftonline.com", "family_id": "1",
      ]
    default: Issue.record("no test for \(vector.name)")
    }
    return members
  }

  /// Returns the key in the format of the libraries with a JSON file.
  private func keyText(_ record: CacheRecord) -> String {
    if case .appMetadata(let metadata) = record {
      return "appmetadata-\(metadata.environment)-\(metadata.clientID.normalised)"
    }
    return "\(record.key.account)-\(record.key.service)"
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).serialized }
}
