// SPDX-License-Identifier: MIT
// A document scanned after an older version has the same entries as after a full scan.

import TesseraWire
import TestVectors
import Testing

@testable import TesseraCache
@testable import TesseraMSALFile

@Suite struct PreviousScanTests {
  /// Returns an access token of a numbered account.
  private static func token(_ number: Int, _ secret: String = "s") -> String {
    #""\#(number)": {"home_account_id": "p\#(number)", "environment": "e", "secret": "\#(secret)", "target": "s\#(number)"}"#
  }

  private static func document(_ entries: [String]) -> String {
    #"{"AccessToken": {\#(entries.joined(separator: ", "))}, "Other": [1], "Account": {"1": {"home_account_id": "p1"}}}"#
  }

  private static let before = (1...20).map { token($0) }

  /// A change of twenty entries.
  struct Change: Sendable, CustomStringConvertible {
    let description: String
    let entries: [String]

    init(_ description: String, _ entries: some Sequence<String>) {
      self.description = description
      self.entries = Array(entries)
    }
  }

  static let changes = [
    Change("nothing", before),
    Change("one is replaced", before[..<4] + [token(5, "longer than it was")] + before[5...]),
    Change("ten are replaced", (1...10).map { token($0, "n") } + before[10...]),
    Change("the first is gone", before.dropFirst()),
    Change("ten are gone", before.dropFirst(10)),
    Change("the last is gone", before.dropLast()),
    Change("there is a new first one", [token(0)] + before),
    Change("there is a new last one", before + [token(21)]),
    Change("there are new ones inside", before[..<5] + (30..<40).map { token($0) } + before[5...]),
    Change("one moved to the end", before[..<3] + before[4...] + [before[3]]),
    Change("they are in reverse order", before.reversed()),
    Change("all are gone", []),
    Change("others have their keys", before.map { $0.replacing("\"p", with: "\"q") }),
    Change("they have a member more", before.map { $0.replacing("}", with: #", "x": 1}"#) }),
    Change("they have other keys", before.map { "\"k" + $0.dropFirst() }),
  ]

  @Test(arguments: changes)
  func `a rescan after a change has the same result as a full scan`(
    _ change: Change
  ) throws {
    let old = try UnifiedDocument(Array(Self.document(Self.before).utf8))
    let bytes = Array(Self.document(change.entries).utf8)
    try expectSame(try UnifiedDocument(bytes, after: old), try UnifiedDocument(bytes))
  }

  @Test(arguments: UnifiedSample.all, UnifiedSample.all)
  func `a rescan has the same result as a full scan for the caches of real libraries`(
    _ old: UnifiedSample, _ new: UnifiedSample
  ) throws {
    let old = try UnifiedDocument(old.bytes)
    try expectSame(try UnifiedDocument(new.bytes, after: old), try UnifiedDocument(new.bytes))
  }

  @Test(arguments: changes)
  func `a written document has the same entries as a scan of its bytes`(
    _ change: Change
  ) throws {
    var cache = try UnifiedCache(Array(Self.document(change.entries).utf8))
    cache.put(.credential(UnifiedSample.accessToken("new")))
    for record in cache.everything().prefix(3) { cache.remove(record.key) }
    let bytes = cache.bytes()
    try expectSame(cache.document, try UnifiedDocument(bytes))
  }

  @Test func `unchanged entries are not scanned again`() throws {
    // The owner hashes of the older document are fake, so that reused entries can be recognized.
    var old = try UnifiedDocument(Array(Self.document(Self.before).utf8))
    var list = UnifiedList()
    for entry in old[.accessToken].entries {
      list.append(
        .init(key: entry.key, value: entry.value, owner: 7, account: 7, scopes: entry.scopes))
    }
    old[.accessToken] = list
    let bytes = Array(Self.document(Self.before.dropFirst(2) + [Self.token(21)]).utf8)
    let new = try UnifiedDocument(bytes, after: old)
    #expect(
      new[.accessToken].entries.map { $0.owner == 7 } == Array(repeating: true, count: 18) + [false]
    )
  }

  @Test(arguments: [
    (#"{"IdToken": {"1": 1}}"#, #"{"IdToken": {"1": 12}}"#),
    (#"{"IdToken": {"1": {"a": 1}}}"#, #"{"IdToken": {"1": {"a": 1}2}}"#),
    (#"{"IdToken": {"1": {"a": "ä"}}}"#, #"{"IdToken": {"1": {"a": "ä"}}, "x": "ö"}"#),
    (#"{"IdToken": {"1": {"a": 1}}}"#, #"{"IdToken": {"1": {"a": 1"#),
    (#"{"IdToken": {"1": {"a": 1}}}"#, #"{"IdToken": {"1": {"a": 1}}"#),
    (#"{"IdToken": {"1": {"a": 1}}}"#, #"{"AccessToken": {"1": {"a": 1}}}"#),
    (
      #"{"IdToken": {"1": {"a": 1}}}"#, #"{"IdToken": {"1": {"a": 1}}, "IdToken": {"1": {"a": 1}}}"#
    ),
    (#"{"IdToken": {"1": {"a": 1}}}"#, #"{"IdToken": "1"}"#),
  ])
  func `a change after an entry is detected`(_ old: String, _ new: String) throws {
    let old = try UnifiedDocument(Array(old.utf8))
    let bytes = Array(new.utf8)
    guard let alone = try? UnifiedDocument(bytes) else {
      #expect(throws: UnifiedCacheError.self) { try UnifiedDocument(bytes, after: old) }
      return
    }
    try expectSame(try UnifiedDocument(bytes, after: old), alone)
  }

  private func expectSame(_ found: UnifiedDocument, _ expected: UnifiedDocument) throws {
    #expect(found.bytes == expected.bytes)
    #expect(found.serialized == expected.serialized)
    for section in UnifiedSection.known {
      #expect(found[section].byteRange == expected[section].byteRange)
      #expect(found[section].entries == expected[section].entries)
    }
  }
}
