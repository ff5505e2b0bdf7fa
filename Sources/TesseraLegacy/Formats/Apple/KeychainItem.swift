// SPDX-License-Identifier: MIT
// An item of an Apple keychain with the attributes that ADAL and MSAL search for, as exported and imported.

package import TesseraCache
package import TesseraWire

/// A generic password item of a keychain.
package struct KeychainItem: Sendable, Hashable {
  /// `kSecAttrAccount`.
  package var account: String?
  /// `kSecAttrService`.
  package var service: String?
  /// `kSecAttrGeneric`.
  package var generic: [UInt8]?
  /// `kSecAttrType`.
  package var type: Int?
  /// `kSecValueData`.
  package var value: [UInt8]

  /// Creates an item with a value.
  package init(account: String?, service: String?, value: [UInt8]) {
    self.account = account
    self.service = service
    self.value = value
  }

  /// Creates an item from JSON: `account`, `service`, `type`, and `generic` and `value` in base64.
  ///
  /// A value that is an object, or a string that is not base64, is used as it is.
  package init?(_ json: JSONObject) {
    guard let value = KeychainItem.bytes(json["value"] ?? json["v_Data"]) else { return nil }
    self.init(json, value: value)
  }

  /// Parses an item from a byte range, reading only the members that an item has.
  ///
  /// Returns `nil` if the value is missing or a limit is exceeded.
  ///
  /// - Throws: ``JSONError`` if the range is not an object.
  package init?(json bytes: [UInt8], in byteRange: Range<Int>) throws(JSONError) {
    var spans = try JSONElementScanner(bytes, in: byteRange)
    guard spans.isObject else {
      throw JSONError(reason: "not an object", offset: byteRange.lowerBound)
    }
    var json = JSONObject()
    var values: [String: Range<Int>] = [:]
    var passed = 0
    while let member = try spans.nextMember() {
      passed += 1
      guard passed <= LegacyLimits.members else { return nil }
      if member.name == "value" || member.name == "v_Data" {
        values[member.name] = member.byteRange
      } else if KeychainItem.attributes.contains(member.name) {
        json[member.name] = try spans.read(member.byteRange)
      }
    }
    guard let found = values["value"] ?? values["v_Data"], found.count <= LegacyLimits.value else {
      return nil
    }
    let text = bytes[found].drop { $0 <= 0x20 }
    if text.first == UInt8(ascii: "{") {
      self.init(json, value: Array(text))
      return
    }
    let limits = JSONValue.Limits(bytes: LegacyLimits.value, depth: 0)
    guard let value = KeychainItem.bytes(try? spans.read(found, limits: limits)) else { return nil }
    self.init(json, value: value)
  }

  private static let attributes: Set<String> = [
    "account", "acct", "service", "svce", "generic", "gena", "type",
  ]

  private init(_ json: JSONObject, value: [UInt8]) {
    self.value = value
    account = (json["account"] ?? json["acct"])?.string
    service = (json["service"] ?? json["svce"])?.string
    generic = KeychainItem.bytes(json["generic"] ?? json["gena"])
    type = json["type"]?.integer.flatMap { Int(exactly: $0) }
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8]? {
    if let object = value?.object { return JSONValue.object(object).bytes }
    return value?.string.map { Base64URL.decodeAnyAlphabet($0) ?? Array($0.utf8) }
  }

  /// Creates an item from a property list with the same names or with those of the system.
  package init?(_ list: PropertyList) {
    let bytes = { (value: PropertyList?) -> [UInt8]? in
      if case .data(let bytes) = value { return bytes }
      return value?.string.map { Base64URL.decodeAnyAlphabet($0) ?? Array($0.utf8) }
    }
    guard let value = bytes(list["value"] ?? list["v_Data"]), value.count <= LegacyLimits.value
    else { return nil }
    let text = { (value: PropertyList?) -> String? in
      if case .data(let bytes) = value { return String(validating: bytes, as: UTF8.self) }
      return value?.string
    }
    self.value = value
    account = text(list["account"] ?? list["acct"])
    service = text(list["service"] ?? list["svce"])
    generic = bytes(list["generic"] ?? list["gena"])
    type = list["type"]?.integer.flatMap { Int(exactly: $0) }
  }

  /// The item as a JSON object.
  package var json: JSONObject {
    var json = JSONObject()
    json.append("account", account)
    json.append("service", service)
    json.append("generic", generic.map(Base64URL.encodeStandard))
    json.append("type", type.map { JSONValue.integer(Int64($0)) })
    json.append("value", Base64URL.encodeStandard(value))
    return json
  }
}

extension KeychainItem {
  /// Creates an item with the attributes by which ADAL finds it.
  package init(_ item: LegacyItem, on system: LegacyKeyParts.System = .iOS) throws(LegacyCacheError)
  {
    let key = LegacyKeyParts(item)
    var table = ArchiveTable()
    table.root = table.add(item, on: system)
    value = try table.bytes()
    account = key.account(on: system)
    service = key.service
    generic = Array(LegacyKeyParts.library.utf8)
  }

  /// Returns items with the attributes by which MSAL for Apple finds them.
  ///
  /// Records that only Tessera uses are left out. MSAL has one account metadata record per application, Tessera has one
  /// per account, so these are merged.
  package static func items(of records: [CacheRecord]) -> [KeychainItem] {
    var items: [KeychainItem] = []
    var metadata: [AccountMetadataRecord] = []
    for record in records {
      switch record {
      case .credential, .account, .appMetadata: items.append(KeychainItem(record))
      case .accountMetadata(let record): metadata.append(record)
      case .discovery, .throttle, .signIn, .legacyAccount, .legacySources, .foreign: break
      }
    }
    for clientID in Set(metadata.map(\.clientID)).sorted() {
      var members = AccountMetadataRecord(clientID: clientID).members
      var map = JSONObject()
      for record in metadata where record.clientID == clientID {
        members = members.overlaid(with: record.members)
        map = map.overlaid(with: record.members["account_metadata_map"]?.object ?? JSONObject())
      }
      members["home_account_id"] = nil
      members["account_metadata_map"] = .object(map)
      if let all = AccountMetadataRecord(members: members) {
        items.append(KeychainItem(.accountMetadata(all)))
      }
    }
    return items
  }

  private init(_ record: CacheRecord) {
    let key = record.key
    account = key.account
    service = key.service
    generic = key.generic.map { Array($0.utf8) }
    type = key.type
    let members = record.members.members.filter { !$0.name.hasPrefix("tessera_") }
    value = JSONValue.object(JSONObject(members.map { ($0.name, $0.value) })).bytes
  }
}
