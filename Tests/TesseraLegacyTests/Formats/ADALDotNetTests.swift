// SPDX-License-Identifier: MIT
// The cache of ADAL.NET, version 3: one written by ADAL.NET, a generated one, and damaged ones.

import Crypto
import TesseraCache
import TesseraLegacy
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct ADALDotNetTests {
  private static let key = "https://login.microsoftonline.com/common/:::https://graph:::app:::0"
  private static let value = #"{"RefreshToken":"rt","ResourceInResponse":"https://graph"}"#

  @Test(arguments: TestVector.all(in: "imports", areas: "import.adal-dotnet-v3"))
  func `an ADAL.NET cache is parsed as in the vector`(_ vector: TestVector) throws {
    let name = try #require(vector.input["file"]?.string?.split(separator: "/").last)
    let bytes = TestVector.bytes(of: "legacy-archives/\(name)")
    #expect(LegacyFormat.detectedFormat(in: bytes) == .adalDotNet)
    if let rows = vector.expected["items"]?.array {
      #expect(sha256(bytes) == vector.input["sha256"]?.string)
      try expect(bytes, rows, vector.expected)
    } else {
      #expect(bytes == vector.input["base64"]?.string.flatMap(Base64URL.decodeAnyAlphabet))
      try expectAccount(bytes, vector.expected)
    }
  }

  /// Compares a cache that ADAL.NET wrote with a vector.
  ///
  /// All of its strings are random, including the authorities.
  private func expect(_ bytes: [UInt8], _ rows: [JSONValue], _ whole: JSONValue) throws {
    var values: [JSONObject] = []
    var keys: [String] = []
    var length = 0
    try ADALDotNetReader.forEachEntry(bytes) { key, value in
      length = value.upperBound
      keys.append(sha256(Array(bytes[key])))
      values.append((try? JSONValue(parsing: Array(bytes[value])))?.object ?? JSONObject())
    }
    #expect(Int64(length) == whole["bytes_consumed"]?.integer)
    #expect(Int64(keys.count) == whole["count"]?.integer)
    let emitted = ParsedEntries(bytes, as: .adalDotNet)
    #expect(emitted.items.count == rows.count && emitted.damaged.isEmpty && emitted.end == nil)
    for (index, row) in rows.enumerated() {
      #expect(keys[index] == row["key_sha256"]?.string)
      let value = values[index]
      let result = try #require(value["Result"]?.object)
      #expect(value.members.map(\.name).sorted() == row["value_keys"]?.array?.compactMap(\.string))
      #expect(
        result.members.map(\.name).sorted() == row["result_keys"]?.array?.compactMap(\.string))
      let person = try #require(result["UserInfo"]?.object)
      #expect(person.members.map(\.name).sorted() == row["userinfo"]?.array?.compactMap(\.string))
      let item = emitted.items[index]
      #expect(item.refreshToken?.reveal() == value["RefreshToken"]?.string)
      #expect(item.accessToken?.reveal() == result["AccessToken"]?.string)
      #expect(item.userID == person["DisplayableId"]?.string?.normalised)
      #expect(item.claims?.objectID == person["UniqueId"]?.string)
      #expect(item.expiresAt?.secondsSince1970 == 1_455_218_790)
      // Without a resource in the response, the refresh token is valid for a single resource and is never redeemed.
      #expect(item.kind == .singleResource && item.extendedExpiresAt == nil)
      #expect(row["expiresOn"] == result["ExpiresOn"])
    }
  }

  private func expectAccount(_ bytes: [UInt8], _ expected: JSONValue) throws {
    let emitted = ParsedEntries(bytes, as: .adalDotNet)
    #expect(emitted.items.count == 1 && emitted.damaged.isEmpty && emitted.end == nil)
    let item = try #require(emitted.items.first)
    let value = expected["value"]
    #expect(item.environment == "login.microsoftonline.com" && item.realm == "common")
    #expect(item.clientID == "27ad83c9-fc05-4a6c-af01-36eda42ed18f")
    #expect(item.resource == value?["ResourceInResponse"]?.string)
    #expect(item.isMultiResource == true && item.kind == .refreshToken)
    #expect(item.refreshToken == Secret("sample-rt") && item.accessToken == Secret("sample-at"))
    #expect(item.userID == "user@contoso.com" && item.idToken == nil)
    #expect(item.clientInfo == value?["RawClientInfo"]?.string)
    #expect(item.homeAccountID == "uid.utid")
    #expect(item.expiresAt == Instant(secondsSince1970: 1_893_456_000))
    #expect(item.extendedExpiresAt == Instant(secondsSince1970: 1_893_459_600))
    let claims = try #require(item.claims)
    #expect(claims.objectID == "53c6acf2-2742-4538-918d-e78257ec8516")
    #expect(claims.tenantID == "6fd1f5cd-a94c-4335-889b-6c598e6d8048")
    #expect(claims.givenName == "Fake" && claims.familyName == "User")
    #expect(claims.all["upn"] == "user@contoso.com")
    #expect(claims.all["idp"] == value?["Result"]?["UserInfo"]?["IdentityProvider"])
  }

  @Test func `the claims of an ID token take precedence over separately stored user data`() throws {
    let claims = Base64URL.encode(Array(#"{"upn":"A@x","oid":"o","tid":"t","sub":"s"}"#.utf8))
    let result = #"{"IdToken":"e30.\#(claims).","TenantId":"u","UserInfo":{"UniqueId":"p"}}"#
    let emitted = ParsedEntries(
      DotNetBinaryWriter([(Self.key, #"{"RefreshToken":"rt","Result":\#(result)}"#)]).bytes,
      as: .adalDotNet
    )
    let item = try #require(emitted.items.first)
    #expect(item.userID == "a@x" && item.claims?.objectID == "o" && item.claims?.tenantID == "t")
    #expect(item.idToken?.isEmpty == false && item.claims?.subject == "s")
  }

  @Test func `an ADFS user has a subject instead of an object ID`() throws {
    let value = #"{"RefreshToken":"rt","Result":{"UserInfo":{"UniqueId":"s"}}}"#
    let emitted = ParsedEntries(
      DotNetBinaryWriter([("https://fs.example/adfs/:::urn:x:::app:::0", value)]).bytes,
      as: .adalDotNet)
    let claims = try #require(emitted.items.first?.claims)
    #expect(claims.subject == "s" && claims.objectID == nil)
    #expect(
      emitted.items.first?.environment == "fs.example" && emitted.items.first?.realm == "adfs")
  }

  @Test(arguments: ["1", "2"])
  func `the tokens of a service are preserved but not imported`(_ subject: String) {
    let emitted = ParsedEntries(
      DotNetBinaryWriter([("https://x.example/t/:::r:::app:::\(subject)", Self.value)]).bytes,
      as: .adalDotNet)
    #expect(emitted.preserved == [.servicePrincipal] && emitted.items.isEmpty)
  }

  @Test(arguments: [
    ("three parts", "https://x.example/t/:::r:::app", value, "entry_key_invalid"),
    ("five parts", "https://x.example/t/:::r:::app:::0:::1", value, "entry_key_invalid"),
    ("no JSON", key, "{", "entry_invalid"), ("an array", key, "[]", "entry_invalid"),
    ("too deep", key, String(repeating: "[", count: 100_000), "entry_invalid"),
    ("too long", key, String(repeating: " ", count: 1 << 21), "entry_invalid"),
  ])
  func `a damaged entry does not affect other entries`(
    _ name: String, _ key: String, _ value: String, _ code: String
  ) {
    let good = (Self.key, Self.value)
    let emitted = ParsedEntries(
      DotNetBinaryWriter([good, (key, value), good]).bytes, as: .adalDotNet)
    #expect(emitted.items.count == 2 && emitted.end == nil)
    #expect(emitted.damaged.map(\.code) == [code] && emitted.damaged.first?.entry == 1)
  }

  @Test func `a key that is not UTF-8 is reported as damaged`() {
    var bytes = DotNetBinaryWriter(count: 1)
    bytes.append([0xFF, 0xFE])
    bytes.append(Array(Self.value.utf8))
    let emitted = ParsedEntries(bytes.bytes, as: .adalDotNet)
    #expect(emitted.damaged.map(\.code) == ["entry_key_invalid"] && emitted.end == nil)
  }

  @Test(arguments: [
    ("nothing", [], "cache_truncated"),
    ("no count", [3, 0, 0, 0], "cache_truncated"),
    ("version 2", DotNetBinaryWriter(version: 2, count: 0).bytes, "cache_version_unknown"),
    (
      "a billion entries", DotNetBinaryWriter(count: 1_000_000_000).bytes + [0, 0],
      "cache_malformed"
    ),
    ("fewer than no entries", DotNetBinaryWriter(count: .max).bytes, "cache_malformed"),
    ("a text of 2 GB", [3, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 7], "cache_truncated"),
    ("a text of 16 GB", [3, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 63], "cache_truncated"),
    (
      "a length without an end",
      [3, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 0x80, count: 99), "cache_truncated"
    ),
    ("no value", [3, 0, 0, 0, 1, 0, 0, 0, 1, 65], "cache_truncated"),
  ])
  func `an invalid cache structure is rejected without items`(
    _ name: String, _ bytes: [UInt8], _ code: String
  ) {
    let emitted = ParsedEntries(bytes, as: .adalDotNet)
    #expect(emitted.end?.code == code && emitted.items.isEmpty)
  }

  @Test(arguments: [
    (#"{"DateTime":"/Date(1893456000999)/","OffsetMinutes":60}"#, 1_893_456_000),
    (#"{"DateTime":"/Date(1893456000000+0100)/"}"#, 1_893_456_000),
    (#""/Date(1893456000000)/""#, 1_893_456_000), (#""2030-01-01T00:00:00+00:00""#, 1_893_456_000),
    (#"{"DateTime":"/Date(-62135596800000)/"}"#, nil), (#""0001-01-01T00:00:00Z""#, nil),
    (#"{"DateTime":"/Date()/"}"#, nil), (#"{"DateTime":"/Date(99999999999999999999)/"}"#, nil),
    ("null", nil), ("1893456000", nil),
  ])
  func `the date formats of all .NET serializers are parsed`(_ date: String, _ seconds: Int64?) {
    let value = #"{"RefreshToken":"rt","Result":{"ExpiresOn":\#(date)}}"#
    let emitted = ParsedEntries(DotNetBinaryWriter([(Self.key, value)]).bytes, as: .adalDotNet)
    #expect(emitted.items.first?.expiresAt?.secondsSince1970 == seconds)
  }

  @Test func `reading stops with an error after the maximum number of entries`() {
    let count = LegacyLimits.entries + 1
    var bytes: [UInt8] = [3, 0, 0, 0]
    withUnsafeBytes(of: Int32(count).littleEndian) { bytes += $0 }
    bytes += [UInt8](repeating: 0, count: 2 * count)
    var emitted = 0
    #expect(throws: LegacyCacheError.self) {
      try ADALDotNetReader.forEachEntry(bytes) { _, _ in emitted += 1 }
    }
    #expect(emitted == LegacyLimits.entries)
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(SHA256.hash(data: bytes))
  }
}
