// SPDX-License-Identifier: MIT
// The cache entries of ADAL for Python, ADAL for Node and the Azure CLI.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct ADALEntryTests {
  private static let person =
    #""_authority":"https://login.microsoftonline.com/common","_clientId":"app","userId":"A@x""#

  @Test(arguments: TestVector.all(in: "imports", areas: "import.adal-python"))
  func `an ADAL for Python cache is parsed as in the vector`(_ vector: TestVector) throws {
    let bytes = try #require(vector.input["json"]).bytes
    #expect(LegacyFormat.detectedFormat(in: bytes) == .adalPython)
    let emitted = ParsedEntries(bytes, as: .adalPython)
    #expect(emitted.items.count == 1 && emitted.damaged.isEmpty && emitted.end == nil)
    let item = try #require(emitted.items.first)
    #expect(item.kind == .refreshToken)
    #expect(item.refreshToken?.reveal() == vector.expected["migratable_refresh_token"]?.string)
    #expect(item.extraMembers["authority"] == vector.expected["authority"])
    #expect(item.environment == "login.microsoftonline.com" && item.realm == "common")
    #expect(item.clientID == vector.expected["client_id"]?.string)
    #expect(item.userID == vector.expected["username"]?.string)
    #expect(item.claims?.objectID == vector.expected["oid"]?.string)
    #expect(item.claims?.tenantID == "6fd1f5cd-a94c-4335-889b-6c598e6d8048")
    #expect(item.claims?.username == "user@contoso.com")
    #expect(item.isMultiResource == vector.expected["multi_resource"]?.bool)
    #expect(item.resource == "https://graph.windows.net" && item.homeAccountID == nil)
    // A date without a time zone is in the local time of an unknown machine.
    #expect(
      item.expiresAt == nil && item.extraMembers["expires_on"] == "2030-01-01 00:00:00.123456")
  }

  @Test(arguments: TestVector.all(in: "imports", areas: "import.azure-cli"))
  func `an Azure CLI cache is parsed as in the vector`(_ vector: TestVector) throws {
    let bytes = try #require(vector.input["json"]).bytes
    #expect(LegacyFormat.detectedFormat(in: bytes) == .azureCLI)
    let emitted = ParsedEntries(bytes, as: .azureCLI)
    #expect(Int64(emitted.items.count) == vector.expected["user_refresh_tokens"]?.integer)
    #expect(emitted.preserved.count == vector.expected["service_principals"]?.array?.count)
    #expect(emitted.preserved.allSatisfy { $0 == .servicePrincipal })
    let item = try #require(emitted.items.first)
    #expect(item.kind == .refreshToken && item.familyID == "1")
    // The Azure CLI does not record whether the user ID is displayable, so that is derived from its format.
    #expect(item.claims?.username == "user@contoso.com")
  }

  @Test func `the secret of a service principal does not appear in any entry`() throws {
    let secret = "p4ssw0rd"
    let bytes = Array(
      """
      [{"servicePrincipalId":"a","servicePrincipalTenant":"t","accessToken":"\(secret)"},
       {"service_principal_id":"b","access_token":"\(secret)"},
       {"accessToken":"\(secret)"}, {"accessToken":"\(secret)"},"\(secret)"]
      """.utf8)
    let emitted = ParsedEntries(bytes, as: .azureCLI)
    #expect(emitted.preserved == [.servicePrincipal, .servicePrincipal])
    #expect(
      emitted.damaged.map(\.code) == ["entry_incomplete", "entry_incomplete", "entry_invalid"])
    #expect(!String(reflecting: emitted).contains(secret))
  }

  @Test(arguments: [LegacyFormat.adalPython, .azureCLI, .adalNode])
  func `both spellings of members are parsed, also after a byte order mark`(
    _ format: LegacyFormat
  ) throws {
    let camel = #"{\#(Self.person),"refreshToken":"rt","isMRRT":true,"isUserIdDisplayable":true}"#
    let snake =
      #"{"_authority":"https://login.microsoftonline.com/common","_client_id":"app","#
      + #""user_id":"A@x","refresh_token":"rt","is_mrrt":true,"is_user_id_displayable":true}"#
    let emitted = ParsedEntries(
      [0xEF, 0xBB, 0xBF] + Array("[\(camel), \(snake)]".utf8), as: format)
    #expect(emitted.items.count == 2 && emitted.end == nil && emitted.damaged.isEmpty)
    let first = try #require(emitted.items.first)
    #expect(first == emitted.items.last && first.kind == .refreshToken && first.userID == "a@x")
  }

  @Test(arguments: [
    (#""isUserIdDisplayable":true"#, "A@x" as String?), (#""isUserIdDisplayable":false"#, nil),
    (#""oid":"o""#, "A@x"),
  ])
  func `a user ID is a name only if it is displayable`(_ member: String, _ name: String?) throws {
    let emitted = ParsedEntries("[{\(Self.person),\(member)}]", as: .adalPython)
    #expect(emitted.items.isEmpty == false && emitted.items.first?.claims?.username == name)
  }

  @Test func `an object with _entries is parsed as an ADAL for Node cache`() throws {
    let entry = #"{\#(Self.person),"refreshToken":"rt","expiresOn":"2030-01-01T00:00:00.123Z"}"#
    let text = #"{"_other":{"a":[1]},"_entries":[\#(entry)]}"#
    #expect(LegacyFormat.detectedFormat(in: Array(text.utf8)) == .adalNode)
    #expect(LegacyFormat.detectedFormat(in: Array("[\(entry)]".utf8)) == .adalNode)
    let item = try #require(ParsedEntries(text, as: .adalNode).items.first)
    #expect(item.expiresAt == Instant(secondsSince1970: 1_893_456_000))
    #expect(item.kind == .singleResource && item.isMultiResource == false)
  }

  @Test func `an app-only token is preserved but not imported`() {
    let entry = #"{"_authority":"https://x.example/t","_clientId":"app","accessToken":"at"}"#
    #expect(ParsedEntries("[\(entry)]", as: .adalPython).preserved == [.servicePrincipal])
  }

  @Test(arguments: [
    #"{"a":"\ud800"}"#, "\u{1}", "tru", "{}", "1", #"{"_authority":"x"}"#,
    #"{"a":"\#(String(repeating: "x", count: 1 << 21))"}"#,
    String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
  ])
  func `a damaged entry does not affect other entries`(_ damage: String) {
    let good = #"{\#(Self.person),"refreshToken":"rt"}"#
    let emitted = ParsedEntries("[\(good),\(damage),\(good)]", as: .adalPython)
    #expect(emitted.items.count == 2 && emitted.end == nil)
    #expect(emitted.damaged.count == 1 && emitted.damaged.first?.entry == 1)
  }

  @Test(arguments: [
    ("", 0), ("null", 0), ("[", 0), ("[}", 0), (#"[{"a":1},"#, 0), ("[GOOD", 0), ("[GOOD,", 1),
    ("[GOOD]]", 1), (#"[GOOD,"a]"#, 1), ("{}", 0), (#"{"_entries":1}"#, 0),
    ("[GOOD][GOOD]", 1),
  ])
  func `an invalid structure ends reading after the valid entries before it`(
    _ text: String, _ items: Int
  ) {
    let good = #"{\#(Self.person),"refreshToken":"rt"}"#
    let parts = text.split(separator: "GOOD", omittingEmptySubsequences: false)
    let emitted = ParsedEntries(parts.joined(separator: good), as: .adalPython)
    #expect(emitted.end?.code == "cache_malformed")
    #expect(emitted.items.count == items)
  }
}
