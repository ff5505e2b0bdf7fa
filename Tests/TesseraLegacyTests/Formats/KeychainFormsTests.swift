// SPDX-License-Identifier: MIT
// Keychain items that contain another cache, are partly damaged or exceed a limit.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct KeychainFormsTests {
  private static func line(_ value: JSONValue, account: String = "account") -> String {
    JSONValue.object(["account": .string(account), "value": value]).serialized
  }

  private static func read(_ text: String) throws(LegacyCacheError) -> [LegacyEntry] {
    try LegacySamples.entries(KeychainReader.read, Array(text.utf8))
  }

  @Test func `an ADAL.NET cache in a keychain item is parsed`() throws {
    let cache = TestVector.bytes(of: "legacy-archives/generated-adal-dotnet-v3.bin")
    let value = JSONValue.string(Base64URL.encodeStandard(cache))
    let alone = ParsedEntries(cache, as: .adalDotNet).items
    #expect(alone.count == 1)
    #expect(try Self.read(Self.line(value)).items == alone)
    let list = PropertyList.array([.dictionary([.init("v_Data", .data(cache))])]).binary
    #expect(try LegacySamples.entries(KeychainReader.read, list).items == alone)
    // Items of other applications are recognized by their names, regardless of their values.
    let named = try Self.read(Self.line(value, account: "com.microsoft.workplacejoin.key"))
    #expect(named.preserved == [.deviceRegistration])
  }

  @Test func `the error for a damaged ADAL.NET cache has the index of the keychain item`() throws {
    let cut = TestVector.bytes(of: "legacy-archives/generated-adal-dotnet-v3.bin").dropLast(10)
    let value = JSONValue.string(Base64URL.encodeStandard(Array(cut)))
    let entries = try Self.read([Self.line(["a": 1]), Self.line(value)].joined(separator: "\n"))
    #expect(entries.damages.map(\.code) == ["cache_truncated"])
    #expect(entries.damages.map(\.entry) == [1])
  }

  @Test(arguments: ["<plist><array/></plist>", "<plist><array></array></plist>"])
  func `an empty list has no entries`(_ text: String) throws {
    #expect(try Self.read(text).isEmpty)
  }

  @Test func `items before an XML error are read`() {
    let item = "<dict><key>value</key><data>AQID</data></dict>"
    var emitted: [LegacyEntry] = []
    let text = Array("<plist><array>\(item)\(item)<dict>".utf8)
    #expect(throws: LegacyCacheError.self) { try KeychainReader.read(text) { emitted.append($0) } }
    #expect(emitted.preserved == [.unknown, .unknown])
  }

  @Test func `an item with too many values is rejected without affecting the next one`() throws {
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
  func `a line without a value is damaged and does not affect others`(_ text: String) throws {
    let lines = [Self.line("AQID"), text, Self.line("AQID")]
    let entries = try Self.read(lines.joined(separator: "\n"))
    #expect(entries.damages.map(\.code) == ["keychain_item_invalid"])
    #expect(entries.damages.map(\.entry) == [1])
    #expect(entries.preserved == [.unknown, .unknown])
  }

  @Test func `the last of two claims with the same name counts`() throws {
    let claims = #"{"upn":"first@contoso.com","upn":"last@contoso.com","oid":"o"}"#
    let part = Base64URL.encode(Array(claims.utf8))
    #expect(LegacySamples.userID(ofToken: part) == "last@contoso.com")
  }

  @Test func `decodeAnyAlphabet accepts both base64 alphabets and optional padding`() {
    #expect(Base64URL.decodeAnyAlphabet("-_8=") == [0xFB, 0xFF])
    #expect(Base64URL.decodeAnyAlphabet("+/8") == [0xFB, 0xFF])
    #expect(Base64URL.decodeAnyAlphabet("ä") == nil)
    #expect(Base64URL.decode("+/8") == nil)
  }

  @Test func `an empty XML element is an empty value`() throws {
    let list = try XMLPropertyList.read(
      Array("<plist><array><string/> <data/><string>c</string></array></plist>".utf8))
    #expect(list == .array([.string(""), .data([]), .string("c")]))
  }

  @Test func `an item value that is a JSON object is kept as JSON`() throws {
    let object: JSONValue = ["secret": "s"]
    let item = try #require(KeychainItem(["value": object] as JSONObject))
    #expect(try JSONValue(parsing: item.value) == object)
  }
}
