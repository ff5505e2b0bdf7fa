// SPDX-License-Identifier: MIT
// Conversion between a store and a file that all libraries share, without loss of entries.

import TesseraWire
import TestVectors
import Testing

@testable import TesseraCache
@testable import TesseraMSALFile

@Suite struct UnifiedExchangeTests {
  /// Returns a store after MSAL Python has stored a document in it.
  private static func store(_ bytes: [UInt8]) throws -> MemoryTable {
    var table = MemoryTable()
    let after = try CacheDocument(parsing: String(decoding: bytes, as: UTF8.self))
    let before = try CacheDocument(parsing: "")
    CacheChange([.feature(after.edits(from: before))]).apply(to: &table)
    return table
  }

  private static func document(_ records: [CacheRecord]) -> JSONValue {
    CacheDocument(records) { $0 }.json
  }

  /// Returns the members of an entry in a comparable form.
  ///
  /// Secrets of ID tokens are left out, because only the newest is kept.
  private static func meaning(_ section: String, _ entry: JSONValue) -> [String: String] {
    var meaning = ["section": section]
    for member in entry.object?.members ?? [] {
      if case .null = member.value { continue }
      let text = member.value.string ?? member.value.serialized
      let isList = member.name == "target"
      let words = text.split(separator: " ").sorted().joined(separator: " ")
      meaning[member.name] = isList ? words : text
    }
    if section == "IdToken" { meaning["secret"] = nil }
    return meaning.filter { !$0.value.isEmpty }
  }

  /// Whether a document contains the contents of each entry of another one.
  private static func holds(_ document: JSONValue, _ other: JSONValue) -> Bool {
    (other.object?.members ?? []).allSatisfy { section in
      (section.value.object?.members ?? []).allSatisfy { entry in
        copies(of: entry.value, section.name, in: document) >= 1
      }
    }
  }

  /// Returns the number of entries in a document that have all members of an entry.
  private static func copies(of entry: JSONValue, _ section: String, in document: JSONValue) -> Int
  {
    let wanted = meaning(section, entry)
    return (document[section]?.object?.members ?? []).count { other in
      let found = meaning(section, other.value)
      return wanted.allSatisfy { found[$0] == $1 }
    }
  }

  @Test(arguments: UnifiedSample.all)
  func `entries of MSAL Python survive a round trip from a store to a file`(_ sample: UnifiedSample)
    throws
  {
    let store = try Self.store(sample.bytes)
    var file = UnifiedCache()
    for record in store.everything() { file.put(record) }
    let written = try UnifiedCache(file.bytes())
    let document = try JSONValue(parsing: sample.bytes)
    for section in document.object?.members ?? [] {
      for entry in section.value.object?.members ?? [] {
        #expect(
          Self.copies(of: entry.value, section.name, in: written.json) >= 1,
          "\(entry.name) of \(section.name) is \(written.json[section.name] ?? .null)")
      }
    }
    let own = written.json["Tessera"]?.object?.members.map(\.name) ?? []
    #expect(!own.contains { $0.hasPrefix("\(ForeignRecord.typeNumber)-") })
    var again = MemoryTable()
    for record in written.everything() { again.put(record) }
    let (first, last) = (Self.document(store.everything()), Self.document(again.everything()))
    #expect(Self.holds(last, first))
  }

  @Test(arguments: UnifiedSample.all)
  func `a file survives a round trip through a store`(_ sample: UnifiedSample) throws {
    let file = try UnifiedCache(sample.bytes)
    var store = MemoryTable()
    for record in file.everything() { store.put(record) }
    #expect(Self.document(store.everything()) == Self.document(file.everything()))
    var other = UnifiedCache(records: store.everything())
    let count = other.everything().count
    for (name, entry) in sample.entries {
      let section = String(name.prefix { $0 != " " })
      #expect(Self.copies(of: entry, section, in: other.json) >= 1, "\(name)")
    }
    for record in store.everything() { other.put(record) }
    #expect(other.everything().count == count)
  }

  @Test func `entries of unknown sections are listed, stored and removed`() throws {
    let text = #"{"Newer":{"a":{"b":[1,null]},"c":"d"},"List":[1],"AccessToken":{"odd":7}}"#
    let cache = try UnifiedCache(Array(text.utf8))
    let records = cache.everything()
    #expect(records.count == 4 && records.allSatisfy { $0.owner == ForeignRecord.owner })
    #expect(Self.document(records) == (try JSONValue(parsing: text)))
    var other = UnifiedCache(records: records)
    #expect(other.json == (try JSONValue(parsing: text)))
    let bytes = other.bytes()
    for record in records { other.put(record) }
    #expect(other.bytes() == bytes)
    for record in records { other.remove(record.key) }
    #expect(other.json == (try JSONValue(parsing: #"{"Newer":{},"List":[1],"AccessToken":{}}"#)))
  }

  @Test func `a foreign entry with a key in use is stored once under a numbered key`() throws {
    let token = UnifiedSample.accessToken("plain")
    var file = UnifiedCache(records: [.credential(token)])
    let key = try #require(file.json["AccessToken"]?.object?.members.first?.name)
    var members = token.members
    members["key_id"] = "ssh"
    let foreign = ForeignRecord(
      DocumentEntry(section: "AccessToken", key: key, value: .object(members)))
    for _ in 0..<3 { file.put(.foreign(foreign)) }
    #expect(file.json["AccessToken"]?.object?.members.map(\.name) == [key, key + "-2"])
    #expect(file.secrets(UnifiedSample.alice) == ["plain"])
  }

  @Test func `evictAccessTokens evicts only access tokens, those that expire first`() throws {
    var cache = UnifiedCache()
    for number in [3, 1, 2, 0] {
      cache.put(
        .credential(UnifiedSample.accessToken("a\(number)", "https://\(number)", at: Int64(number)))
      )
    }
    cache.put(.credential(UnifiedSample.credential(.refreshToken, "r")))
    let length = cache.bytes().count
    cache.evictAccessTokens(bytes: 900)
    #expect(cache.secrets(UnifiedSample.alice) == ["a2", "a3", "r"])
    #expect(cache.isChanged && cache.bytes().count <= length - 900)
    cache.evictAccessTokens(bytes: .max)
    #expect(cache.secrets(UnifiedSample.alice) == ["r"])
  }

  @Test func `foreign entries cannot be written to Tessera's section`() {
    let entry = DocumentEntry(section: "Tessera", key: "9005-0", value: .object([:]))
    var file = UnifiedCache()
    file.put(.foreign(ForeignRecord(entry)))
    #expect(String(decoding: file.bytes(), as: UTF8.self) == "{}")
  }

  @Test func `of entries with the same write time, the later expiry wins, then the later position`()
    throws
  {
    for (ends, expected) in [([5, 9, 7], "1"), ([9, 9, 5], "1"), ([9, 9, 9], "2")] {
      var entries = JSONObject()
      for (index, end) in ends.enumerated() {
        var token = UnifiedSample.accessToken("\(index)")
        token.expiresAt = Instant(secondsSince1970: Int64(end))
        entries.append("key \(index)", .object(token.members))
      }
      let cache = try UnifiedCache(JSONValue.object(["AccessToken": .object(entries)]).bytes)
      #expect(cache.secrets(UnifiedSample.alice) == [expected])
    }
  }
}
