// SPDX-License-Identifier: MIT
// The cache of ADAL for macOS: the errors that ADAL reports, and round trips.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct MacOSCacheTests {
  private func read(_ bytes: [UInt8]) throws(LegacyCacheError) -> [LegacyEntry] {
    try LegacySamples.entries(MacOSCacheReader.read, bytes)
  }

  @Test(arguments: TestVector.all(in: "legacy_apple", areas: "legacy.mac-blob"))
  func `the validation errors match those of ADAL`(_ vector: TestVector) throws {
    let bytes = try LegacySamples.archive { Wrapper.add(vector.input, to: &$0) }
    guard let message = vector.expected.string else {
      #expect(vector.expected.bool == true)
      #expect(try read(bytes).items.count == 1)
      return
    }
    do throws(LegacyCacheError) {
      let damages = try read(bytes).damages
      #expect(damages.map(\.message) == [message])
      #expect(damages.map(\.entry) == [0])
    } catch {
      #expect(error.message == message)
      #expect(error.entry == nil)
    }
  }

  @Test func `rewriting a blob preserves its items and its size`() throws {
    let items = [
      LegacySamples.full, LegacySamples.item("user@contoso.com"),
      LegacySamples.item("other@contoso.com"),
    ]
    let blob = try MacOSCacheWriter.blob(changing: nil, storing: items)
    #expect(try read(blob).items == items)
    ArchiveFolder.keep(blob, as: "written-mac-blob")
    let again = try MacOSCacheWriter.blob(changing: blob, storing: items)
    #expect(try read(again).items == items)
    #expect(again.count == blob.count, "nothing of what was replaced is left")
  }

  @Test(arguments: ["generated-2.6-mac-blob", "generated-msid-mac-blob"])
  func `changing one item preserves the items that ADAL wrote`(_ file: String) throws {
    let blob = LegacySamples.file(file)
    let before = try read(blob).items
    #expect(before.count == 6)
    var renewed = try #require(before.first { $0.kind == .singleResource })
    renewed.refreshToken = Secret("renewed")
    let added = LegacySamples.item("user@contoso.com")
    let changed = try MacOSCacheWriter.blob(changing: blob, storing: [renewed, added])
    ArchiveFolder.keep(changed, as: "changed-\(file)")
    let after = try read(changed).items
    let expected = before.map {
      $0.resource == renewed.resource && $0.userID == renewed.userID ? renewed : $0
    }
    #expect(after.count == 7)
    for item in expected { #expect(after.contains { $0.refreshToken == item.refreshToken }) }
    #expect(!contains(changed, "sample-rt2"), "a token that was replaced is not in the file")
    #expect(contains(changed, "sample-rt3"))
  }

  @Test func `a damaged item does not affect other items`() throws {
    let bytes = try LegacySamples.archive { table in
      var withoutUserID = LegacySamples.item("user@contoso.com", client: "broken")
      withoutUserID.refreshToken = nil
      let items = [withoutUserID, LegacySamples.item("user@contoso.com")]
      let places = items.map { (key: table.add(keyOf: $0), value: table.add($0, on: .macOS)) }
      let user = table.add(places)
      return Wrapper.add(users: [(key: table.add("user@contoso.com"), value: user)], to: &table)
    }
    let entries = try read(bytes)
    #expect(entries.damages.map(\.code) == ["item_without_token"])
    #expect(entries.items == [LegacySamples.item("user@contoso.com")])
  }

  @Test func `an item that several users share is read once`() throws {
    let bytes = try LegacySamples.archive { table in
      let item = LegacySamples.item("user@contoso.com")
      let objectIndex = table.add(item, on: .macOS)
      let items = table.add(
        (0..<300).map { _ in (key: table.add(keyOf: item), value: objectIndex) })
      let users = (0..<300).map { (key: table.add("user\($0)"), value: items) }
      return Wrapper.add(users: users, to: &table)
    }
    let entries = try read(bytes)
    #expect(entries.items.count == 1)
    #expect(entries.damages.count == 299 + 299)
    #expect(entries.damages.allSatisfy { $0.code == "archive_repeated" })
    #expect(throws: LegacyCacheError.self) {
      try MacOSCacheWriter.blob(changing: bytes, storing: [LegacySamples.full])
    }
  }

  @Test func `a blob with ten thousand users survives a round trip`() throws {
    let manyItems = (0..<10_000).map {
      LegacySamples.item("user\($0)@contoso.com", token: "rt\($0)")
    }
    let blob = try MacOSCacheWriter.blob(changing: nil, storing: manyItems)
    var count = 0
    try MacOSCacheReader.read(blob) { entry in
      if case .item = entry { count += 1 }
    }
    #expect(count == manyItems.count)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let words = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: words) }
  }
}

/// The dictionaries around the items, as described by a vector.
private enum Wrapper {
  static func add(_ input: JSONValue, to table: inout ArchiveTable) -> Int {
    guard let input = input.object else { return table.add("no dictionary") }
    var pairs: [(key: Int, value: Int)] = []
    let version = input["version"]?.integer ?? 1
    pairs.append((key: table.add("version"), value: table.add(plain: .real(Double(version)))))
    if let tokens = input["tokenCache"]?["tokens"] ?? input["tokens"] {
      let objectIndex =
        tokens.object.map { users(in: $0, &table) } ?? table.add([], isMutable: false)
      let cache = table.add([(key: table.add("tokens"), value: objectIndex)])
      pairs.append((key: table.add("tokenCache"), value: cache))
    }
    return table.add(pairs, isMutable: false)
  }

  static func add(users: [(key: Int, value: Int)], to table: inout ArchiveTable) -> Int {
    let cache = table.add([(key: table.add("tokens"), value: table.add(users))])
    let version = (key: table.add("version"), value: table.add(plain: .real(1)))
    return table.add([version, (key: table.add("tokenCache"), value: cache)], isMutable: false)
  }

  private static func users(in tokens: JSONObject, _ table: inout ArchiveTable) -> Int {
    var users: [(key: Int, value: Int)] = []
    for user in tokens.members {
      var items: [(key: Int, value: Int)] = []
      for pair in user.value.object?.members ?? [] {
        let value = table.named(pair.value.string ?? "")
        items.append((key: table.named(pair.name), value: value))
      }
      users.append((key: table.named(user.name), value: table.add(items)))
    }
    return table.add(users)
  }
}

extension ArchiveTable {
  fileprivate mutating func named(_ name: String) -> Int {
    switch name {
    case "<number>": add(plain: .integer(1))
    case "<ADTokenCacheKey>": add(keyOf: LegacySamples.full)
    case "<ADTokenCacheStoreItem>", "<item>": add(LegacySamples.full, on: .macOS)
    default: add(name)
    }
  }
}
