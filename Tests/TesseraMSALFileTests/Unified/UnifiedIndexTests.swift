// SPDX-License-Identifier: MIT
// The index of entries during a change has the same result as a search of all entries.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedIndexTests {
  private typealias Sample = UnifiedSample

  /// A step of a change.
  private enum Step {
    case put(CredentialRecord)
    case remove(CredentialRecord)

    func apply(to cache: inout UnifiedCache) {
      switch self {
      case .put(let token): cache.put(.credential(token))
      case .remove(let token): cache.remove(token.key)
      }
    }
  }

  /// A pseudorandom number generator with a seed.
  private struct SeededGenerator {
    var state: UInt64

    mutating func roll(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % count
    }
  }

  private static let realms = [
    Sample.tenant, "common", "Organizations", " common", "", "adfs",
    "bbbbbbbb-0000-4000-8000-00000000000b",
  ]

  /// Returns a credential of a random type for one of a few applications.
  private static func token(_ dice: inout SeededGenerator, _ number: Int) -> CredentialRecord {
    let client = ["client-1", "CLIENT-1", "client-2", "client-3"][dice.roll(4)]
    switch dice.roll(3) {
    case 0:
      return Sample.accessToken("a\(number)", "https://\(dice.roll(4))/read", client: client)
    case 1:
      var token = Sample.credential(.idToken, "i\(number)", client: client)
      token.realm = realms[dice.roll(realms.count)]
      return token
    default:
      var token = Sample.credential(.refreshToken, "r\(dice.roll(6))", client: client)
      token.familyID = dice.roll(2) == 0 ? "1" : nil
      token["last_modification_time"] = String(2_000_000_000 + dice.roll(3))
      return token
    }
  }

  /// Returns random additions and removals of one account's credentials.
  private static func steps(_ seed: UInt64) -> [Step] {
    var dice = SeededGenerator(state: seed)
    var tokens: [CredentialRecord] = []
    return (0..<80).map { number in
      if !tokens.isEmpty, dice.roll(4) == 0 { return .remove(tokens[dice.roll(tokens.count)]) }
      tokens.append(token(&dice, number))
      return .put(tokens[tokens.count - 1])
    }
  }

  /// Returns a document with each credential twice, under keys that no library uses.
  private static func document(_ seed: UInt64) -> [UInt8] {
    var dice = SeededGenerator(state: ~seed)
    var sections = [
      "AccessToken": JSONObject(), "IdToken": JSONObject(), "RefreshToken": JSONObject(),
    ]
    for number in 0..<30 {
      let token = token(&dice, number)
      let section = token.type.isAccessToken ? "AccessToken" : token.type.name
      for copy in ["a", "b"] {
        sections[section]?.append("\(number) \(copy)", .object(token.members))
      }
    }
    var document = JSONObject()
    for name in sections.keys.sorted() {
      document.append(name, .object(sections[name] ?? JSONObject()))
    }
    return JSONValue.object(document).bytes
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `several steps in one change have the same result as one by one`(_ seed: UInt64) throws {
    var atOnce = try UnifiedCache(Self.document(seed))
    var oneByOne = atOnce
    for (number, step) in Self.steps(seed).enumerated() {
      step.apply(to: &atOnce)
      // A newly parsed document has no index.
      oneByOne = try UnifiedCache(oneByOne.bytes())
      step.apply(to: &oneByOne)
      var copy = atOnce
      #expect(copy.bytes() == oneByOne.bytes(), "step \(number): \(step)")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `an access token is stored under the tenant ID and its application's aliases only`(
    _ seed: UInt64
  ) throws {
    var cache = try UnifiedCache(Self.document(seed))
    for step in Self.steps(seed) { step.apply(to: &cache) }
    for client in ["client-1", "client-2", "client-3"] {
      let words = cache.entries("IdToken", client).compactMap { $0["realm"]?.string }
        .filter { ["common", "organizations"].contains($0.normalised) }
      cache.put(.credential(Sample.accessToken("last", "https://last/read", client: client)))
      let realms = cache.entries("AccessToken", client)
        .filter { $0["target"]?.string == "https://last/read" }.compactMap { $0["realm"]?.string }
      #expect(Set(realms) == Set(words + [Sample.tenant]) && realms.count == Set(realms).count)
    }
  }
}

extension UnifiedCache {
  /// The entries of an application in a section.
  fileprivate func entries(_ section: String, _ client: String) -> [JSONObject] {
    (json[section]?.object?.members ?? []).compactMap(\.value.object).filter {
      $0["client_id"]?.string?.normalised == client
    }
  }
}
