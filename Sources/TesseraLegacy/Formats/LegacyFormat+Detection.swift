// SPDX-License-Identifier: MIT
// Detection of the format of a cache from its first bytes and the names of its first members.

import TesseraWire

extension LegacyFormat {
  /// Returns the format of a cache, or `nil` if it is not a known one.
  ///
  /// Only the beginning is read, so that a damaged cache is recognized as well.
  package static func detectedFormat(in bytes: [UInt8]) -> LegacyFormat? {
    if bytes.starts(with: "bplist00".utf8) { return archive(bytes) }
    // Other versions are recognized too, because reading them reports the remedy.
    if let version = bytes.first, (1...9).contains(version), bytes.count >= 8,
      bytes[1...3].allSatisfy({ $0 == 0 })
    {
      return .adalDotNet
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    switch bytes[start...].first(where: { !isSpace($0) }) {
    case UInt8(ascii: "<"): return bytes.prefix(1024).containsText("<plist") ? .appleKeychain : nil
    case UInt8(ascii: "["), UInt8(ascii: "{"): return json(bytes)
    default: return nil
    }
  }

  /// Returns the format of a binary property list: an archived item, an archived cache, or a list of items.
  private static func archive(_ bytes: [UInt8]) -> LegacyFormat? {
    // The items of a list may be archives themselves.
    if var list = try? BinaryPropertyList(bytes), case .array? = try? list.node(list.top) {
      return .appleKeychain
    }
    guard bytes[...].containsText("$archiver") else { return .appleKeychain }
    return bytes[...].containsText("tokenCache") ? .adalMacOS : .adalAppleItem
  }

  private static func json(_ bytes: [UInt8]) -> LegacyFormat? {
    guard var whole = try? JSONElementScanner(bytes) else { return nil }
    if whole.isObject { return object(names(&whole)) }
    guard let byteRange = try? whole.next() else {
      // An empty array is a cache of ADAL for Python from which all users signed out.
      return (try? JSONValue(parsing: bytes)) == [] ? .adalPython : nil
    }
    guard var first = try? JSONElementScanner(bytes, in: byteRange), first.isObject else {
      return nil
    }
    let names = names(&first)
    if names.isSuperset(of: ["Key", "Value"]) { return .msalDotNet }
    guard let value = try? whole.read(byteRange), let members = value.object else { return nil }
    return entry(names, ADALEntry(members))
  }

  private static func object(_ names: Set<String>) -> LegacyFormat? {
    if names.contains("_entries") { return .adalNode }
    if !names.isDisjoint(with: UnifiedFileReader.lists) { return .msalMacOS }
    let isItem = names.contains("value") && !names.isDisjoint(with: ["account", "service", "type"])
    return isItem || names.isSuperset(of: ["account", "service"]) ? .appleKeychain : nil
  }

  /// Returns the format of an array, based on its first entry.
  private static func entry(_ names: Set<String>, _ entry: ADALEntry) -> LegacyFormat? {
    if entry["servicePrincipalId"] != nil || entry["_clientId"]?.normalised == ADALEntry.azureCLI {
      return .azureCLI
    }
    guard entry["_authority"] != nil else { return object(names) }
    return entry["expiresOn"].flatMap(ISODate.instant) == nil ? .adalPython : .adalNode
  }

  /// Returns the names of the first members, up to one that identifies the format.
  private static func names(_ object: inout JSONElementScanner) -> Set<String> {
    var names: Set<String> = []
    var passed = 0
    while passed < 100, let name = try? object.nextName() {
      passed += 1
      names.insert(name)
      if UnifiedFileReader.lists.contains(name) || (try? object.value()) == nil { break }
    }
    return names
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes contain an ASCII string.
  fileprivate func containsText(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: wanted) }
  }
}
