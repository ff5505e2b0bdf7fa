// SPDX-License-Identifier: MIT
// Exported keychains: the export formats, the items of other applications, and the export of Tessera's records.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct KeychainTests {
  private static var items: [KeychainItem] {
    get throws {
      var items = try [LegacySamples.full, LegacySamples.item("user@contoso.com")].map {
        item throws(LegacyCacheError) in try KeychainItem(item)
      }
      items += KeychainItem.items(of: records)
      items.append(item("TokenWipe", nil, LegacySamples.file("generated-wipe")))
      items.append(item("intune_app_protection_enrollment_id_V1", nil, Array(#"{"a":1}"#.utf8)))
      items.append(item("com.microsoft.workplacejoin.thumbprint", "x", [1, 2, 3]))
      items.append(
        item("home", "prt", Array(#"{"credential_type":"PrimaryRefreshToken"}"#.utf8), type: 2005))
      items.append(item("useSingleFRT", "useSingleFRT", Array(#"{"use_single_frt":true}"#.utf8)))
      items.append(
        item("home", "at", Array(#"{"credential_type":"AccessToken"}"#.utf8), type: 2001))
      items.append(item("home", "at", [0x20, 0x5B], type: 2001))
      return items
    }
  }

  private static var records: [CacheRecord] {
    var token = CredentialRecord(type: .refreshToken, secret: Secret("unified rt"))
    token.homeAccountID = "uid.utid"
    token.environment = "login.windows.net"
    token.clientID = "App"
    token["tessera_received"] = "boot 1"
    var account = AccountRecord(
      homeAccountID: "uid.utid", environment: "login.windows.net", realm: "Utid")
    account.username = "User@contoso.com"
    let metadata = AppMetadataRecord(
      clientID: "App", environment: "login.windows.net", familyID: "1")
    let accounts = ["uid.utid", "uid2.utid"].map { home in
      var record = AccountMetadataRecord(clientID: "App", homeAccountID: home)
      record.signIn(home)
      return CacheRecord.accountMetadata(record)
    }
    return [.credential(token), .account(account), .appMetadata(metadata)] + accounts
  }

  private static func item(
    _ account: String, _ service: String?, _ value: [UInt8], type: Int? = nil
  ) -> KeychainItem {
    var item = KeychainItem(account: account, service: service, value: value)
    item.type = type
    return item
  }

  private static var lines: [UInt8] {
    get throws {
      Array(try items.map { JSONValue.object($0.json).serialized }.joined(separator: "\n").utf8)
    }
  }

  @Test func `a keychain item has the attributes that ADAL and MSAL search for`() throws {
    let item = try KeychainItem(LegacySamples.item("user@contoso.com"))
    #expect(item.account == "dXNlckBjb250b3NvLmNvbQ")
    #expect(
      item.service?.hasPrefix("MSOpenTech.ADAL.1|aHR0cHM6Ly9sb2dpbi53aW5kb3dzLm5ldC8") == true)
    #expect(item.generic == Array("MSOpenTech.ADAL.1".utf8))
    #expect(item.type == nil)
    let unified = KeychainItem.items(of: Self.records)
    #expect(unified.map(\.type) == [2002, 1003, 3001, 5001])
    #expect(unified.first?.account == "uid.utid-login.windows.net")
    #expect(unified.first?.service == "refreshtoken-app--")
    #expect(unified.first?.generic == Array("refreshtoken-app-".utf8))
    #expect(unified[1].generic == Array("user@contoso.com".utf8))
    let all = try #require(unified.last)
    #expect(all.account == "authority_map" && all.service == "App")
    #expect(
      try JSONValue(parsing: all.value).object?["account_metadata_map"]?.object?.members.count == 2)
    #expect(!String(decoding: try Self.lines, as: UTF8.self).contains("tessera_"))
  }

  @Test func `a keychain export is parsed in every format`() throws {
    let items = try Self.items
    let lists = items.map { item in
      PropertyList.dictionary(
        [
          item.account.map { .init("acct", .string($0)) },
          item.service.map { .init("svce", .string($0)) },
          item.generic.map { .init("gena", .data($0)) },
          item.type.map { .init("type", .integer(Int64($0))) }, .init("v_Data", .data(item.value)),
        ].compactMap { $0 })
    }
    try expectAll(try Self.lines)
    let array = JSONValue.array(items.map { .object($0.json) })
    try expectAll(Array(" \n".utf8) + array.bytes)
    try expectAll(PropertyList.array(lists).binary)
    try expectAll(Self.xml(items))
    let back = items.map { KeychainItem($0.json) }
    #expect(back == items)
  }

  private func expectAll(_ bytes: [UInt8]) throws {
    #expect(LegacyFormat.detectedFormat(in: bytes) == .appleKeychain)
    let entries = try LegacySamples.entries(LegacyFormat.appleKeychain.read, bytes)
    #expect(entries.items == [LegacySamples.full, LegacySamples.item("user@contoso.com")])
    #expect(entries.records.count == 4)
    #expect(entries.records.compactMap(\.owner) == ["uid.utid", "uid.utid"])
    #expect(
      entries.preserved == [
        .wipeMarker, .intune, .deviceRegistration, .primaryRefreshToken, .unknown, .unknown,
      ])
    #expect(entries.damages.map(\.code) == ["keychain_value_invalid"])
    #expect(entries.damages.map(\.entry) == [12])
  }

  private static func xml(_ items: [KeychainItem]) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><!-- exported --><array>
      """
    let tag = { (name: String, kind: String, text: String?) in
      text.map { "<key>\(name)</key>\n<\(kind)>\($0)</\(kind)>" } ?? ""
    }
    for item in items {
      text += "<dict>" + tag("account", "string", item.account)
      text += tag("service", "string", item.service.map { "<![CDATA[\($0)]]>" })
      text += tag("generic", "data", item.generic.map(Base64URL.encodeStandard))
      text += tag("type", "integer", item.type.map(String.init))
      text += tag("value", "data", "\n" + Base64URL.encodeStandard(item.value) + "\n")
      text += "<key>a &amp; b &#x1F642;</key><true/><key>real</key><real>1.5</real></dict>\n"
    }
    return Array((text + "</array></plist>\n").utf8)
  }

  @Test func `without an ID token, the account attribute provides the user name`() throws {
    var withoutUserID = LegacySamples.item("")
    (withoutUserID.claims, withoutUserID.idToken) = (nil, nil)
    for name in ["dXNlckBjb250b3NvLmNvbQ", "User@contoso.com"] {
      var item = try KeychainItem(withoutUserID)
      item.account = name
      let line = JSONValue.object(item.json).bytes
      let found = try LegacySamples.entries(KeychainReader.read, line).items
      #expect(found.map(\.userID) == ["user@contoso.com"])
    }
  }

  @Test func `MSAL for macOS blobs are parsed from a file and a keychain export`() throws {
    let token = Self.records.first?.members ?? JSONObject()
    let blob: JSONValue = [
      "RefreshToken": [
        "uid.utid-login.windows.net-refreshtoken-app--": .object(token), "bad": [:],
      ],
      "Account": .object(JSONObject([("key", .object(Self.records[1].members))])),
      "Other": ["key": "value"],
    ]
    var item = KeychainItem(account: "group", service: "Microsoft Credentials", value: blob.bytes)
    item.generic = nil
    let inside = JSONValue.object(item.json).bytes
    for entries in [
      try LegacySamples.entries(UnifiedFileReader.read, blob.bytes),
      try LegacySamples.entries(KeychainReader.read, inside),
    ] {
      #expect(entries.records == Array(Self.records.prefix(2)))
      #expect(entries.preserved == [.unknown, .unknown])
    }
  }

  @Test(arguments: [
    "", "nothing of all this", "<plist>", "<plist><array><dict>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><plist/>",
    "<plist><array><string>&b;</string></array></plist>", "<plist><integer>x</integer></plist>",
    String(repeating: "<array>", count: 100_000), "<", "<plist><string>&", "<a/>", "&", "</array>",
    "[1,{}]", "[{}", "[",
    "<plist><string>&#xD800;</string></plist>", "<plist><string><![CDATA[",
    "<plist><data>?</data></plist>",
  ])
  func `malformed input is rejected or yields no items`(_ text: String) {
    do throws(LegacyCacheError) {
      let entries = try LegacySamples.entries(KeychainReader.read, Array(text.utf8))
      #expect(entries.items.isEmpty && entries.records.isEmpty)
    } catch {
      #expect(
        ["keychain_invalid", "property_list_invalid", "property_list_nested"].contains(error.code))
    }
  }

  @Test(arguments: ["lines", "binary", "xml"])
  func `a mutated keychain export is parsed or rejected`(_ form: String) throws {
    let items = try Self.items
    let bytes =
      switch form {
      case "lines": try Self.lines
      case "xml": Self.xml(items)
      default:
        PropertyList.array(
          items.map { .dictionary([.init("value", .data($0.value)), .init("type", .integer(1))]) }
        ).binary
      }
    var random = SeededGenerator(seed: UInt64(bytes.count))
    var emitted = 0
    for _ in 0..<SeededGenerator.mutations / 10 {
      _ = try? KeychainReader.read(random.mutation(of: bytes)) { _ in emitted += 1 }
    }
    #expect(emitted > 0)
  }
}
