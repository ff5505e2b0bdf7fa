// SPDX-License-Identifier: MIT
// Items of a keychain that hold another cache, that are damaged in part, or that are longer than any.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct KeychainFormsTests {
  private static func line(_ value: JSONValue, account: String = "account") -> String {
    JSONValue.object(["account": .string(account), "value": value]).serialized
  }

  private static func read(_ text: String) throws(LegacyDamage) -> [LegacyEntry] {
    try LegacySamples.entries(KeychainReader.read, Array(text.utf8))
  }

  @Test func `a cache of ADAL.NET that is the value of an item is read`() throws {
    let cache = TestVector.bytes(of: "legacy-archives/generated-adal-dotnet-v3.bin")
    let value = JSONValue.string(Base64URL.encodeStandard(cache))
    let alone = MetEntries(cache, as: .adalDotNet).items
    #expect(alone.count == 1)
    #expect(try Self.read(Self.line(value)).items == alone)
    let list = PropertyList.array([.dictionary([.init("v_Data", .data(cache))])]).binary
    #expect(try LegacySamples.entries(KeychainReader.read, list).items == alone)
    // What others act on is told by its name, whatever its value looks like.
    let named = try Self.read(Self.line(value, account: "com.microsoft.workplacejoin.key"))
    #expect(named.preserved == [.deviceRegistration])
  }

  @Test func `a damaged cache of ADAL.NET in an item is told with the place of the item`() throws {
    let cut = TestVector.bytes(of: "legacy-archives/generated-adal-dotnet-v3.bin").dropLast(10)
    let value = JSONValue.string(Base64URL.encodeStandard(Array(cut)))
    let entries = try Self.read([Self.line(["a": 1]), Self.line(value)].joined(separator: "\n"))
    #expect(entries.damages.map(\.code) == ["cache_truncated"])
    #expect(entries.damages.map(\.entry) == [1])
  }

  @Test(arguments: ["<plist><array/></plist>", "<plist><array></array></plist>"])
  func `a list without items has none`(_ text: String) throws {
    #expect(try Self.read(text).isEmpty)
  }

  @Test func `items before damage in a list of XML are met`() {
    let item = "<dict><key>value</key><data>AQID</data></dict>"
    var met: [LegacyEntry] = []
    let text = Array("<plist><array>\(item)\(item)<dict>".utf8)
    #expect(throws: LegacyDamage.self) { try KeychainReader.read(text) { met.append($0) } }
    #expect(met.preserved == [.unknown, .unknown])
  }

  @Test func `an item with more values than any has is refused, and the next one is read`() throws {
    let wide = PropertyList.dictionary(
      (0...LegacyLimits.members).map { .init("\($0)", .integer(1)) } + [.init("value", .data([1]))])
    let item = PropertyList.dictionary([.init("value", .data([1]))])
    let list = PropertyList.array([wide, item]).binary
    let entries = try LegacySamples.entries(KeychainReader.read, list)
    #expect(entries.damages.map(\.code) == ["keychain_item_invalid"])
    #expect(entries.preserved == [.unknown])
  }

  @Test(arguments: [
    #"{"account":"a"}"#, #"{"account":"a","value":5}"#, #"{"account":"a","value":["x"]}"#,
    #"{"account":"a","value":"x"} more"#, #"{"account":"a","value":"x"#, "5", "[",
  ])
  func `a line without a value is damaged, and those after it are read`(_ text: String) throws {
    let lines = [Self.line("AQID"), text, Self.line("AQID")]
    let entries = try Self.read(lines.joined(separator: "\n"))
    #expect(entries.damages.map(\.code) == ["keychain_item_invalid"])
    #expect(entries.damages.map(\.entry) == [1])
    #expect(entries.preserved == [.unknown, .unknown])
  }

  @Test func `one name for two things has the last value`() throws {
    let claims = #"{"upn":"first@contoso.com","upn":"last@contoso.com","oid":"o"}"#
    let part = Base64URL.encode(Array(claims.utf8))
    #expect(LegacySamples.userID(ofToken: part) == "last@contoso.com")
  }

  @Test func `a text with padding in either alphabet is base64`() {
    #expect(Base64URL.decodeEither("-_8=") == [0xFB, 0xFF])
    #expect(Base64URL.decodeEither("+/8") == [0xFB, 0xFF])
    #expect(Base64URL.decodeEither("ä") == nil)
    #expect(Base64URL.decode("+/8") == nil)
  }

  @Test func `an empty text of XML is empty, whatever follows it`() throws {
    let list = try XMLPropertyList.read(
      Array("<plist><array><string/> <data/><string>c</string></array></plist>".utf8))
    #expect(list == .array([.string(""), .data([]), .string("c")]))
  }

  @Test func `a value that is an object is taken as it is`() throws {
    let object: JSONValue = ["secret": "s"]
    let item = try #require(KeychainItem(["value": object] as JSONObject))
    #expect(try JSONValue(parsing: item.value) == object)
  }
}
