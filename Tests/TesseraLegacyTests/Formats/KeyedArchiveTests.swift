// SPDX-License-Identifier: MIT
// Keyed archives: round trips, formats of older versions, and cyclic references.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestSupport
import Testing

@Suite struct KeyedArchiveTests {
  @Test(arguments: [LegacyKeyParts.System.iOS, .macOS])
  func `an item survives a round trip through an archive`(_ system: LegacyKeyParts.System) throws {
    for item in [LegacySamples.full, LegacySamples.item("user@contoso.com")] {
      let bytes = try LegacySamples.archive { $0.add(item, on: system) }
      ArchiveFolder.keep(bytes, as: "written-\(system)-\(item.clientID)")
      #expect(try LegacySamples.entries(AppleItemReader.read, bytes).items == [item])
    }
  }

  @Test func `an item that ADAL wrote survives a round trip`() throws {
    let genuine = LegacySamples.file("adal-objc-genuine-1.x-with-resource")
    let item = try #require(LegacySamples.entries(AppleItemReader.read, genuine).items.first)
    #expect(item.userID == "myfakeuser@contoso.com")
    #expect(item.claims?.tenantID == LegacySamples.tenant)
    #expect(item.kind == .singleResource)
    let bytes = try LegacySamples.archive { $0.add(item, on: .iOS) }
    #expect(try LegacySamples.entries(AppleItemReader.read, bytes).items == [item])
  }

  @Test func `rewriting an unchanged archive preserves its objects`() throws {
    for file in ["adal-objc-genuine-1.x-no-resource", "generated-msid-mac-blob"] {
      let bytes = LegacySamples.file(file)
      let again = try ArchiveTable(bytes).bytes()
      var (left, right) = (try BinaryPropertyList(bytes), try BinaryPropertyList(again))
      let (before, after) = (try left.tree(left.top), try right.tree(right.top))
      #expect(before["$objects"] == after["$objects"])
      #expect(before["$top"] == after["$top"])
    }
  }

  @Test func `without an ID token, the archived claims or user ID provide the user name`() throws {
    let bytes = try archive { table in
      let claims = table.add(.object(["upn": "User@Contoso.com", "tid": "tenant"]))
      return [("allClaims", claims), ("userId", table.add("other"))]
    }
    let item = try #require(LegacySamples.entries(AppleItemReader.read, bytes).items.first)
    #expect(item.userID == "user@contoso.com")
    #expect(item.claims?.tenantID == "tenant")
    let name = try archive { [("userId", $0.add("User"))] }
    #expect(try LegacySamples.entries(AppleItemReader.read, name).items.first?.userID == "user")
  }

  @Test func `broker tokens are preserved but not imported`() throws {
    var item = LegacySamples.item("user")
    item.clientID = LegacyKeyParts.noResource
    let named = try LegacySamples.archive { $0.add(item, on: .iOS) }
    let of = { (name: String) in
      try LegacySamples.archive { $0.add(instance: name, [.init("refreshToken", .uid(0))]) }
    }
    let expected: [([UInt8], LegacyEntry.Preserved)] = [
      (named, .primaryRefreshToken), (try of("ADBrokerPRTCacheItem"), .primaryRefreshToken),
      (try of("SomethingElse"), .unknown), (LegacySamples.file("generated-wipe"), .wipeMarker),
    ]
    for (bytes, kind) in expected {
      #expect(try LegacySamples.entries(AppleItemReader.read, bytes).preserved == [kind])
    }
  }

  @Test func `a cyclic or exponentially nested value is rejected`() throws {
    let bytes = try LegacySamples.archive { table in
      let additions = table.add([])
      table.setPairs([(key: table.add("itself"), value: additions)], at: additions)
      return table.add(
        instance: KeyedArchive.ClassName.item,
        [
          .init("authority", .string("https://login.windows.net/common")),
          .init("clientId", .string("app")), .init("refreshToken", .string("rt")),
          .init("additionalServer", .uid(additions)),
        ])
    }
    expect("archive_contains_itself", bytes)
    // Nested dictionaries, each with two references to the next one: the size grows exponentially.
    let doubled = try LegacySamples.archive { table in
      var inner = table.add("end")
      for _ in 0..<14 {
        inner = table.add([
          (key: table.add("a"), value: inner), (key: table.add("b"), value: inner),
        ])
      }
      return table.add(
        instance: KeyedArchive.ClassName.item,
        [
          .init("authority", .string("https://login.windows.net/common")),
          .init("clientId", .string("app")), .init("refreshToken", .string("rt")),
          .init("additionalServer", .uid(inner)),
        ])
    }
    expect("archive_too_large", doubled)
  }

  @Test func `an invalid archive is rejected with a specific error code`() throws {
    let item: [(String, PropertyList)] = [
      ("authority", .string("https://login.windows.net/common")), ("clientId", .string("app")),
    ]
    let token = ("refreshToken", PropertyList.string("rt"))
    let cases: [(String, [(String, PropertyList)])] = [
      ("item_without_token", item), ("item_client_missing", [item[0], token]),
      ("item_authority_invalid", [item[1], token]),
      ("item_authority_invalid", [("authority", .string("https://host")), item[1], token]),
      ("archive_reference_invalid", item + [("refreshToken", .uid(99))]),
    ]
    for (code, members) in cases {
      expect(code, Self.raw([Self.record("ADTokenCacheStoreItem", members)]))
    }
    let unequal: [(String, PropertyList)] = [
      ("NS.keys", .array([.uid(0)])), ("NS.objects", .array([])),
    ]
    expect("archive_dictionary_unequal", Self.raw([Self.record("NSDictionary", unequal)]))
    expect("archive_reference_invalid", Self.raw([]))
    expect("archive_invalid", PropertyList.dictionary([.init("a", .bool(true))]).binary)
    expect("archive_version", Self.raw([.null], version: 100_001))
    expect("property_list_invalid", Array("bplist00".utf8))
    expect("property_list_invalid", [])
    for bytes in [Self.raw([.string("a text")]), Self.raw([.dictionary([])])] {
      #expect(try LegacySamples.entries(AppleItemReader.read, bytes).preserved == [.unknown])
    }
  }

  @Test func `every type of property list value survives a round trip`() throws {
    let values: [PropertyList] = [
      .null, .bool(true), .bool(false), .integer(0), .integer(-1), .integer(255), .integer(70_000),
      .integer(.max), .integer(.min), .unsigned(.max), .real(-0.5), .date(1.5), .data([0, 255]),
      .data([UInt8](repeating: 7, count: 300)), .string("ASCII"), .string("ünï 🙂"), .string(""),
      .string(String(repeating: "long", count: 20_000)), .uid(0), .uid(70_000), .array([]),
    ]
    let list = PropertyList.dictionary(
      values.enumerated().map { .init("key \($0.offset)", $0.element) } + [
        .init("all", .array(values + values))
      ])
    var read = try BinaryPropertyList(list.binary)
    #expect(try read.tree(read.top) == list)
  }

  private func expect(_ code: String, _ bytes: [UInt8]) {
    do throws(LegacyCacheError) {
      let entries = try LegacySamples.entries(AppleItemReader.read, bytes)
      Issue.record("\(entries), not \(code)")
    } catch {
      #expect(error.code == code)
    }
  }

  /// Returns an archive of an item with user information that has these members.
  private func archive(
    _ members: (inout ArchiveTable) -> [(String, Int)]
  ) throws -> [UInt8] {
    try LegacySamples.archive { table in
      let person = members(&table).map { PropertyList.Member($0.0, .uid($0.1)) }
      let objectIndex = table.add(instance: KeyedArchive.ClassName.userInformation, person)
      return table.add(
        instance: KeyedArchive.ClassName.item,
        [
          .init("authority", .uid(table.add("https://login.windows.net/common"))),
          .init("clientId", .uid(table.add("app"))), .init("refreshToken", .uid(table.add("rt"))),
          .init("userInformation", .uid(objectIndex)),
        ])
    }
  }

  /// Returns an archive of the objects, the first of which is the root.
  ///
  /// The class of an object is in its `class` member.
  private static func raw(_ objects: [PropertyList], version: Int64 = 100_000) -> [UInt8] {
    var table = [PropertyList.string("$null")]
    for object in objects {
      guard let name = object["class"]?.string else {
        table.append(object)
        continue
      }
      let members = (object.members ?? []).filter { $0.name != "class" }
      table.append(.dictionary(members + [.init("$class", .uid(table.count + 1))]))
      table.append(.dictionary([.init("$classname", .string(name))]))
    }
    return PropertyList.dictionary([
      .init("$version", .integer(version)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", .uid(1))])), .init("$objects", .array(table)),
    ]).binary
  }

  private static func record(_ name: String, _ members: [(String, PropertyList)]) -> PropertyList {
    .dictionary([.init("class", .string(name))] + members.map { .init($0.0, $0.1) })
  }
}
