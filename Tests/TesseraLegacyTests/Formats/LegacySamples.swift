// SPDX-License-Identifier: MIT
// Items and archives for tests of ADAL caches.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors

enum LegacySamples {
  static let tenant = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"

  /// Returns an item with a multi-resource refresh token.
  static func item(_ userID: String, client: String = "app", token: String = "rt") -> LegacyItem {
    var item = LegacyItem(
      environment: "login.windows.net", realm: tenant, clientID: client, userID: userID)
    item.refreshToken = Secret(token)
    item.claims = IDTokenClaims(members: [
      "upn": .string(userID), "oid": "53c6acf2-2742-4538-918d-e78257ec8516",
      "tid": .string(tenant), "iat": 1_387_224_169, "name": "Jürgen 🙂", "groups": ["a", "b"],
    ])
    item.idToken = Secret(
      "e30." + Base64URL.encode(JSONValue.object(item.claims?.all ?? JSONObject()).bytes) + ".c2ln")
    item.extraMembers = ["accessTokenType": "Bearer"]
    return item
  }

  /// An item with all members that an archive can contain.
  static var full: LegacyItem {
    var item = item("user@contoso.com", client: "Full-App", token: "full-rt")
    item.accessToken = Secret("full-at")
    item.resource = "https://graph.windows.net"
    item.familyID = "1"
    item.clientInfo = Base64URL.encode(Array(#"{"uid":"uid","utid":"utid"}"#.utf8))
    item.homeAccountID = "uid.utid"
    item.expiresAt = Instant(secondsSince1970: 1_893_456_000)
    item.extendedExpiresAt = Instant(secondsSince1970: 1_893_459_600)
    item.extraMembers = [
      "accessTokenType": "Pop", "enrollmentId": "enrolled", "applicationIdentifier": "com.app",
      "cachedAt": 1_800_000_000,
      "additionalServer": [
        "spe_info": "I", "seen": ["$date": 1_700_000_000], "key": ["$data": "AAEC"],
        "flag": true, "numbers": [1, -1, 70_000, 5_000_000_000],
      ],
    ]
    return item
  }

  static func archive(_ make: (inout ArchiveTable) -> Int) throws -> [UInt8] {
    var table = ArchiveTable()
    table.root = make(&table)
    return try table.bytes()
  }

  /// Returns the entries that a reader passes on.
  static func entries(
    _ read: ([UInt8], (LegacyEntry) -> Void) throws(LegacyCacheError) -> Void, _ bytes: [UInt8]
  ) throws(LegacyCacheError) -> [LegacyEntry] {
    var entries: [LegacyEntry] = []
    try read(bytes) { entries.append($0) }
    return entries
  }

  /// Returns the user name in an archive with this string as its ID token.
  static func userID(ofToken token: String) -> String? {
    var item = item("")
    item.claims = nil
    item.idToken = Secret(token)
    guard let copy = try? KeychainItem(item),
      case .item(let found)? = try? AppleItemReader.entry(copy.value)
    else { return nil }
    return found.userID
  }

  static func file(_ name: String) -> [UInt8] {
    TestVector.bytes(of: "legacy-archives/\(name).bplist")
  }
}

extension [LegacyEntry] {
  var items: [LegacyItem] {
    compactMap { entry in
      guard case .item(let item) = entry else { return nil }
      return item
    }
  }

  var damages: [LegacyCacheError] {
    compactMap { entry in
      guard case .damaged(let damage) = entry else { return nil }
      return damage
    }
  }

  var records: [CacheRecord] {
    compactMap { entry in
      guard case .record(let record) = entry else { return nil }
      return record
    }
  }

  var preserved: [LegacyEntry.Preserved] {
    compactMap { entry in
      guard case .preserved(let kind) = entry else { return nil }
      return kind
    }
  }
}
