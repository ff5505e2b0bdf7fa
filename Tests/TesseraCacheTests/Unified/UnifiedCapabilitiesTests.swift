// SPDX-License-Identifier: MIT
// Tokens for capabilities in a cache whose owner asks for them and says nothing of it.

import TesseraWire
import TestVectors
import Testing

@testable import TesseraCache

@Suite struct UnifiedCapabilitiesTests {
  private typealias Sample = UnifiedSample

  private static let claims = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
  private static let capable = UnifiedNames(capabilityClaims: claims)

  private static func token(_ secret: String, claims: String?) -> CredentialRecord {
    var token = Sample.accessToken(secret)
    token.requestedClaims = claims
    return token
  }

  /// The secrets with a capability, and those without.
  private static func told(_ cache: UnifiedCache) -> [String: String] {
    let tokens = cache.accessTokens(of: Sample.alice, having: nil)
    return Dictionary(
      tokens.map { ($0.requestedClaims ?? "", $0.secret.reveal()) }, uniquingKeysWith: { $1 })
  }

  @Test func `the tokens of others have the capabilities of whoever owns the cache`() throws {
    var plain = UnifiedCache()
    plain.put(.credential(Self.token("theirs", claims: nil)))
    var cache = try UnifiedCache(plain.bytes(), names: Self.capable)
    #expect(Self.told(cache) == [Self.claims: "theirs"])
    cache.put(.credential(Self.token("renewed", claims: Self.claims)))
    cache.put(.credential(Self.token("incapable", claims: nil)))
    #expect(Self.told(cache) == [Self.claims: "renewed", "": "incapable"])
    #expect(Self.told(try UnifiedCache(cache.bytes(), names: Self.capable)) == Self.told(cache))
    // The owner finds the first, as its own, and never the other one.
    let entries = cache.json.entries.filter { $0.key.hasPrefix("AccessToken") }.values
    #expect(entries.map { $0["secret"] } == ["renewed"])
    #expect(entries.allSatisfy { $0["requested_claims"] == nil })
  }

  @Test func `in a cache without capabilities they are kept apart`() throws {
    var cache = UnifiedCache()
    cache.put(.credential(Self.token("plain", claims: nil)))
    cache.put(.credential(Self.token("capable", claims: Self.claims)))
    #expect(Self.told(cache) == ["": "plain", Self.claims: "capable"])
    let entries = cache.json.entries.filter { $0.key.hasPrefix("AccessToken") }
    #expect(entries.values.map { $0["secret"] } == ["plain"])
  }

  @Test func `other capabilities are other tokens`() {
    let other = #"{"access_token":{"xms_cc":{"values":["CP1","CP2"]}}}"#
    var cache = UnifiedCache(names: Self.capable)
    cache.put(.credential(Self.token("one", claims: Self.claims)))
    cache.put(.credential(Self.token("both", claims: other)))
    #expect(Self.told(cache) == [Self.claims: "one", other: "both"])
    cache.remove(CacheRecord.credential(Self.token("one", claims: Self.claims)).key)
    #expect(Self.told(cache) == [other: "both"])
  }
}
