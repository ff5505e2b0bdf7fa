// SPDX-License-Identifier: MIT
// Lookup of access tokens by scope, with all spellings that other libraries use.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedScopesTests {
  private typealias Sample = UnifiedSample

  @Test(arguments: [
    ("https://x/read https://x/write", "https://x/write"), ("User.Read", "user.read"),
    (#"https:\/\/x\/read"#, "https://x/read"), ("https://x//.default", "https://x/.default"),
    (#"\u0061 b"#, "a"), ("É", "é"), (#"\u00c9"#, "é"), (#"a\tb c"#, "c"), (" a  b ", "b"),
  ])
  func `a token is found by each of its scopes`(_ target: String, _ scope: String) throws {
    let cache = try cache(#""target": "\#(target)""#)
    #expect(cache.accessTokens(of: Sample.alice, having: scope).count == 1)
    #expect(cache.accessTokens(of: Sample.alice, having: "another").isEmpty)
  }

  @Test(arguments: [
    #""t\u0061rget": "a b""#, #""target": "x", "target": "b a""#, #""target": null, "target": "a""#,
  ])
  func `member names are decoded, and the last duplicate counts`(_ members: String) throws {
    let cache = try cache(members)
    #expect(cache.accessTokens(of: Sample.alice, having: "a").count == 1)
    #expect(cache.accessTokens(of: Sample.alice, having: "x").isEmpty)
  }

  @Test func `a token that is replaced is found by its new scopes`() throws {
    var cache = try cache(#""target": "a""#)
    for target in ["b", "c d"] {
      cache.put(.credential(Sample.accessToken("new", target)))
      for scope in Scopes(parsing: target).list {
        #expect(cache.accessTokens(of: Sample.alice, having: scope).count == 1)
      }
    }
    let again = try UnifiedCache(cache.bytes())
    #expect(
      ["a", "b", "c", "d"].allSatisfy { scope in
        again.accessTokens(of: Sample.alice, having: scope).count == 1
      })
  }

  @Test(arguments: UnifiedSample.all)
  func `other libraries' tokens are found by each of their scopes`(_ sample: UnifiedSample) throws {
    let cache = try UnifiedCache(sample.bytes)
    for case .credential(let token) in cache.everything() where token.type.isAccessToken {
      for scope in token.scopes.significant.texts {
        let found = cache.accessTokens(of: token.homeAccountID, having: scope)
        #expect(found.contains { $0.key == token.key })
      }
    }
  }

  private func cache(_ members: String) throws -> UnifiedCache {
    let rest = #""home_account_id": "\#(Sample.alice)", "environment": "\#(Sample.host)""#
    let more =
      #""client_id": "\#(Sample.cli)", "realm": "\#(Sample.tenant)", "secret": "s", "expires_on": "5""#
    let token = "{\(rest), \(more), \(members)}"
    return try UnifiedCache(Array(#"{"AccessToken": {"k": \#(token)}}"#.utf8))
  }
}
