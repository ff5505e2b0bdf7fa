// SPDX-License-Identifier: MIT
// Tokens with client capabilities in a cache of an application that requests them but does not record them.

import TesseraWire
import TestVectors
import Testing

@testable import TesseraCache
@testable import TesseraMSALFile

@Suite struct UnifiedCapabilitiesTests {
  private typealias Sample = UnifiedSample

  private static let claims = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
  private static let capable = UnifiedNames(capabilityClaims: claims)

  private static func token(_ secret: String, claims: String?) -> CredentialRecord {
    var token = Sample.accessToken(secret)
    token.requestedClaims = claims
    return token
  }

  /// Returns the secrets of the access tokens by requested claims.
  private static func secretsByClaims(_ cache: UnifiedCache) -> [String: String] {
    let tokens = cache.accessTokens(of: Sample.alice, having: nil)
    return Dictionary(
      tokens.map { ($0.requestedClaims ?? "", $0.secret.reveal()) }, uniquingKeysWith: { $1 })
  }

  @Test func `tokens of other libraries have the capabilities of the cache's owner`() throws {
    var plain = UnifiedCache()
    plain.put(.credential(Self.token("theirs", claims: nil)))
    var cache = try UnifiedCache(plain.bytes(), names: Self.capable)
    #expect(Self.secretsByClaims(cache) == [Self.claims: "theirs"])
    cache.put(.credential(Self.token("renewed", claims: Self.claims)))
    cache.put(.credential(Self.token("incapable", claims: nil)))
    #expect(Self.secretsByClaims(cache) == [Self.claims: "renewed", "": "incapable"])
    #expect(
      Self.secretsByClaims(try UnifiedCache(cache.bytes(), names: Self.capable))
        == Self.secretsByClaims(cache))
    // Other libraries find only the token with their capabilities, and without the claims.
    let entries = cache.json.entries.filter { $0.key.hasPrefix("AccessToken") }.values
    #expect(entries.map { $0["secret"] } == ["renewed"])
    #expect(entries.allSatisfy { $0["requested_claims"] == nil })
  }

  @Test func `without capabilities, tokens with capabilities are stored separately`() throws {
    var cache = UnifiedCache()
    cache.put(.credential(Self.token("plain", claims: nil)))
    cache.put(.credential(Self.token("capable", claims: Self.claims)))
    #expect(Self.secretsByClaims(cache) == ["": "plain", Self.claims: "capable"])
    let entries = cache.json.entries.filter { $0.key.hasPrefix("AccessToken") }
    #expect(entries.values.map { $0["secret"] } == ["plain"])
  }

  @Test func `tokens with different capabilities do not replace each other`() {
    let other = #"{"access_token":{"xms_cc":{"values":["CP1","CP2"]}}}"#
    var cache = UnifiedCache(names: Self.capable)
    cache.put(.credential(Self.token("one", claims: Self.claims)))
    cache.put(.credential(Self.token("both", claims: other)))
    #expect(Self.secretsByClaims(cache) == [Self.claims: "one", other: "both"])
    cache.remove(CacheRecord.credential(Self.token("one", claims: Self.claims)).key)
    #expect(Self.secretsByClaims(cache) == [other: "both"])
  }
}
