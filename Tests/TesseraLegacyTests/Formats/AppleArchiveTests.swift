// SPDX-License-Identifier: MIT
// Archives of ADAL for Apple, and their keychain attributes.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct AppleArchiveTests {
  @Test(arguments: TestVector.all(in: "legacy_apple", areas: "legacy.key", "legacy.query"))
  func `key attributes match the vector`(_ vector: TestVector) throws {
    var parts = LegacyKeyParts()
    parts.authority = vector.input["authority"]?.string
    parts.resource = vector.input["resource"]?.string
    parts.clientID = vector.input["clientId"]?.string
    parts.userID = vector.input["legacyUserId"]?.string
    parts.applicationIdentifier = vector.input["applicationIdentifier"]?.string
    let expected = vector.expected["ios"] ?? vector.expected
    let accounts = expected["account"]
    #expect(parts.service == expected["service"]?.string)
    #expect(parts.account(on: .iOS) == (accounts?["ios"] ?? accounts)?.string)
    if let name = accounts?["macos"] ?? vector.expected["macos_account"] {
      #expect(parts.account(on: .macOS) == name.string)
    }
    #expect(LegacyKeyParts.library == expected["generic"]?.string)
    // A key with all parts matches at most one item.
    let isExact = parts.service != nil && parts.account(on: .iOS) != nil
    if let expected = expected["exactMatch"]?.bool { #expect(isExact == expected) }
  }

  @Test(
    arguments: TestVector.all(
      in: "legacy_apple", areas: "legacy.archive", "legacy.archive.generated"))
  func `an archive is parsed as in the vector`(_ vector: TestVector) throws {
    let file = try #require(vector.input["file"]?.string)
    let bytes = TestVector.bytes(of: "legacy-archives/\(file)")
    let decoded = try #require(vector.expected["decoded"])
    if file == "generated-wipe.bplist" {
      guard case .preserved(.wipeMarker) = try AppleItemReader.entry(bytes) else {
        Issue.record("not the marker of a cache that was emptied")
        return
      }
      return
    }
    guard decoded["tokenCache"] == nil else { return try expectItems(bytes, decoded) }
    guard case .item(let item) = try AppleItemReader.entry(bytes) else {
      Issue.record("not an item")
      return
    }
    try expect(item, decoded)
    let keychain = try #require(vector.expected["keychain"])
    let key = LegacyKeyParts(item)
    #expect(key.service == keychain["service"]?.string)
    #expect(key.account(on: .iOS) == keychain["account"]?.string)
    if let environment = vector.expected["environment"]?.string {
      #expect(item.environment == environment)
      #expect(item.realm == vector.expected["realm"]?.string)
      #expect(item.kind == .singleResource)
    }
  }

  private func expectItems(_ bytes: [UInt8], _ decoded: JSONValue) throws {
    var items: [LegacyItem] = []
    try MacOSCacheReader.read(bytes) { entry in
      if case .item(let item) = entry { items.append(item) } else { Issue.record("\(entry)") }
    }
    let users = try #require(decoded["tokenCache"]?["tokens"]?.object)
    var rest = items[...]
    for user in users.members {
      for pair in user.value["$pairs"]?.array ?? [] {
        let item = try #require(rest.first)
        rest = rest.dropFirst()
        #expect(item.userID == user.name)
        try expect(item, try #require(pair.array?.last))
      }
    }
    #expect(rest.isEmpty)
  }

  private func expect(_ item: LegacyItem, _ decoded: JSONValue) throws {
    let text = { (name: String) in decoded[name]?.string }
    #expect(item.authority == text("authority"))
    #expect(item.resource == text("resource"))
    #expect(item.clientID == text("clientId"))
    #expect(item.familyID == text("familyId"))
    #expect(item.accessToken?.reveal() == text("accessToken"))
    #expect(item.refreshToken?.reveal() == text("refreshToken"))
    #expect(item.extraMembers["accessTokenType"]?.string == text("accessTokenType"))
    #expect(item.homeAccountID == text("homeAccountId"))
    #expect(item.expiresAt?.secondsSince1970 == decoded["expiresOn"]?["$date"]?.integer)
    #expect(item.idToken?.reveal() == decoded["userInformation"]?["rawIdToken"]?.string)
    if let claims = decoded["userInformation"]?["allClaims"]?.object {
      let all = try #require(item.claims?.all)
      for claim in all.members { #expect(claims[claim.name] == claim.value) }
      #expect(item.claims?.tenantID == claims["tid"]?.string)
      #expect(item.userID == decoded["userInformation"]?["userId"]?.string)
    }
    #expect(item.extraMembers["tombstone"] ?? .null == decoded["tombstone"] ?? .null)
    #expect((item.kind == .tombstone) == (text("refreshToken") == "<tombstone>"))
    let additions = decoded["additionalServer"]?.object ?? JSONObject()
    let expiry = additions["extended_expires_on"] ?? additions["ext_expires_on"]
    #expect(item.extendedExpiresAt?.secondsSince1970 == expiry?["$date"]?.integer)
    for name in ["scope", "not_before"] {
      #expect(item.extraMembers["additionalServer"]?[name] == additions[name])
    }
  }
}
