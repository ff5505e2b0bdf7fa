// SPDX-License-Identifier: MIT
// One account with thousands of tokens. An algorithm that is quadratic in their number would time out.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedSizeTests {
  private typealias Sample = UnifiedSample
  private static let count = 5_000

  /// Returns an access token for one of many resources.
  private static func token(_ number: Int, _ secret: String = "a") -> CredentialRecord {
    Sample.accessToken("\(secret)\(number)", "https://\(number)/read")
  }

  /// Returns a document with all tokens, under keys that no library uses.
  private static func document(copies: Int, of count: Int = count) -> [UInt8] {
    var entries = JSONObject()
    for copy in 0..<copies {
      for number in 0..<count {
        entries.append("\(copy) \(number)", .object(token(number).members))
      }
    }
    return JSONValue.object(["AccessToken": .object(entries)]).bytes
  }

  @Test func `ten thousand tokens of one account with duplicates are listed once each`() throws {
    let cache = try UnifiedCache(Self.document(copies: 2))
    #expect(cache.everything().count == Self.count)
    #expect(cache.accessTokens(of: Sample.alice, having: "https://7/read").count == 1)
  }

  @Test func `two thousand tokens of one account are replaced and removed in one change`() throws {
    let count = 2_000
    var cache = try UnifiedCache(Self.document(copies: 1, of: count))
    for number in 0..<count { cache.put(.credential(Self.token(number, "b"))) }
    let replaced = try JSONValue(parsing: cache.bytes(), limits: .init(bytes: 1 << 26))
    let entries = try #require(replaced["AccessToken"]?.object?.members)
    #expect(entries.count == count)
    #expect(entries.allSatisfy { $0.value["secret"]?.string?.hasPrefix("b") == true })
    for number in 0..<count { cache.remove(Self.token(number).key) }
    #expect(cache.everything().isEmpty)
    #expect(String(decoding: cache.bytes(), as: UTF8.self) == #"{"AccessToken":{}}"#)
  }

  @Test func `only the applications that signed in again are signed in`() throws {
    let clients = (0..<400).map { "client-\($0)" }
    var cache = UnifiedCache()
    for client in clients {
      var metadata = AccountMetadataRecord(clientID: client, homeAccountID: Sample.alice)
      metadata.signOut(Sample.alice)
      cache.put(.accountMetadata(metadata))
    }
    for client in clients.prefix(200) {
      cache.put(.credential(Sample.credential(.idToken, "i", client: client)))
    }
    let states = CacheSnapshot(records: cache.records(of: Sample.alice), version: nil)
    let back = clients.filter { states.signInStates(of: $0)[Sample.alice] == .signedIn }
    #expect(back == Array(clients.prefix(200)))
  }

  @Test func `an entry with 30,000 members is replaced without losing members`() throws {
    var members = Self.token(0).members
    for number in 0..<30_000 { members.append("x\(number)", .integer(1)) }
    let entry = JSONValue.object(["k": .object(members)])
    var cache = try UnifiedCache(JSONValue.object(["AccessToken": entry]).bytes)
    let old = try #require(cache.accessTokens(of: Sample.alice, having: nil).first)
    cache.put(.credential(old))
    let again = try UnifiedCache(cache.bytes()).accessTokens(of: Sample.alice, having: nil)
    #expect(again.first?.members["x29999"] == .integer(1))
  }
}
