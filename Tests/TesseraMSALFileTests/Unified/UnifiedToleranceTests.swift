// SPDX-License-Identifier: MIT
// Files that deviate from the format. At least the entries that other libraries accept are accepted.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedToleranceTests {
  private typealias Sample = UnifiedSample
  private static let scope = "https://x/read"

  @Test(arguments: TestVector.all(in: "msal_family", areas: "unified.tolerance"))
  func `a file with a deviation is read or rejected as in the vector`(_ vector: TestVector) throws {
    if let bytes = UnifiedToleranceTests.bytes(vector.name) {
      // Other libraries fail, or treat the file as an empty cache and overwrite it.
      #expect(throws: UnifiedCacheError.self) { try UnifiedCache(bytes) }
      return
    }
    let document = try #require(UnifiedToleranceTests.document(vector.name))
    var cache = try UnifiedCache(document)
    #expect(cache.plain(Sample.alice, Self.scope) == ["own"])
    #expect(vector.expected["python"]?.string != nil)
    // Storing a record preserves all other entries, including invalid ones.
    let before = try JSONValue(parsing: document)
    cache.put(.credential(Sample.accessToken("new", "https://y/read")))
    for (key, entry) in before.entries { #expect(cache.json.entries[key] == entry) }
    #expect(cache.plain(Sample.alice, "https://y/read") == ["new"])
  }

  @Test func `a damaged file is rejected with a specific error`() {
    func damage(_ text: String) -> UnifiedCacheError? {
      do throws(UnifiedCacheError) {
        _ = try UnifiedCache(Array(text.utf8))
        return nil
      } catch { return error }
    }
    #expect(
      damage("") == .empty && damage(" \n") == .blank && damage("\u{FEFF}{}") == .byteOrderMark)
    for text in [
      "[]", "null", "{", "{}x", #"{"a"}"#, #"{"a":tru}"#, #"{"a":01}"#, #"{"a":1,}"#,
      "{\"a\":\"\n\"}",
      #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"AccessToken":{"k":{"secret":"s"}}"#,
      #"{"a":"# + String(repeating: "[", count: 100_000),
    ] {
      guard case .malformed? = damage(text) else {
        Issue.record("\(text.prefix(20)) is read")
        continue
      }
    }
    #expect(throws: UnifiedCacheError.self) {
      try UnifiedCache([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
    }
    #expect(damage("{}") == nil && damage(" {\"a\" : [1.5e3, -0, true, null, {}] } \n") == nil)
  }

  /// Returns the bytes of a damaged file, or `nil` for a valid one.
  private static func bytes(_ name: String) -> [UInt8]? {
    switch name {
    case "UTF-8 BOM": [0xEF, 0xBB, 0xBF] + (document("baseline") ?? [])
    case "empty file": []
    case "whitespace only": Array(" \n ".utf8)
    default: nil
    }
  }

  /// Returns a valid file with the deviation of a vector, or `nil` if the deviation is not known.
  private static func document(_ name: String) -> [UInt8]? {
    var own = Sample.accessToken("own", scope).members
    own["realm"] = .string(Sample.tenant)
    own["extended_expires_on"] = "2000003600"
    var foreign = Sample.accessToken("foreign", "https://z/read", client: "foreign").members
    var key = "own"
    guard change(name, &own, &foreign, &key) else { return nil }
    var root: JSONObject = ["AccessToken": .object(["f": .object(foreign), key: .object(own)])]
    var account = AccountRecord(
      homeAccountID: Sample.alice, environment: Sample.host, realm: Sample.tenant
    ).members
    for part in ["username", "realm", "local_account_id"] where name == "account \(part) absent" {
      account[part] = nil
    }
    if name == "account username null" { account["username"] = .null }
    if name == "foreign account without home_account_id" { account["home_account_id"] = nil }
    if name == "foreign account, environment missing" { account["environment"] = nil }
    root["Account"] = .object(["a": .object(account)])
    switch name {
    case "unknown root section object": root["Other"] = .object(["a": 1])
    case "unknown root section string": root["Other"] = "x"
    case "unknown root section array": root["Other"] = [1, .null]
    case "section null": root["RefreshToken"] = .null
    default: break
    }
    return JSONValue.object(root).bytes + (name == "trailing newline" ? [0x0A] : [])
  }

  private static func change(
    _ name: String, _ own: inout JSONObject, _ foreign: inout JSONObject, _ key: inout String
  ) -> Bool {
    let words = name.split(separator: " ").map(String.init)
    let value: [String: JSONValue] = [
      "''": "", "null": .null, "float": "1.5", "number": .integer(2_000_003_600),
    ]
    switch name {
    case "own AT expires_on as JSON number": own["expires_on"] = .integer(2_000_003_600)
    case "own AT target reordered": own["target"] = .string("https://x/write \(scope)")
    case "own AT under an arbitrary key": key = "something"
    case "own AT key upper-cased": key = "OWN"
    case "foreign AT without client_id/target":
      foreign["client_id"] = nil
      foreign["target"] = nil
    case "foreign AT extra nested object field": foreign["extra"] = .object(["a": [.null]])
    case "foreign AT without expires_on": foreign["expires_on"] = nil
    case "environment = preferred_cache login.windows.net everywhere":
      own["environment"] = "login.windows.net"
    case _ where words.count > 3 && words[0] == "own" && words[3] == "absent": own[words[2]] = nil
    case _ where words.count > 3 && words[0] == "own": own[words[2]] = value[words[3]]
    case _ where words.count > 3 && words[..<2] == ["foreign", "AT"]:
      foreign[words[2]] = value[words[3]]
    default:
      return ["baseline", "trailing", "account", "unknown", "section", "foreign"].contains(words[0])
    }
    return true
  }

  @Test func `an entry with the credential type of another section is not loaded`() throws {
    var cache = UnifiedCache()
    cache.put(.credential(Sample.accessToken("own", Self.scope)))
    let text = String(decoding: cache.bytes(), as: UTF8.self)
    let other = text.replacing("\"AccessToken\",", with: "\"RefreshToken\",")
    #expect(other != text)
    #expect(try UnifiedCache(Array(text.utf8)).plain(Sample.alice, Self.scope) == ["own"])
    #expect(try UnifiedCache(Array(other.utf8)).plain(Sample.alice, Self.scope) == [])
  }
}
