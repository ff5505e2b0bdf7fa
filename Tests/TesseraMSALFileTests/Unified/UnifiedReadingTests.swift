// SPDX-License-Identifier: MIT
// Entries of other libraries are found by the records they represent, and by no others.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedReadingTests {
  private typealias Sample = UnifiedSample

  private func cache(_ name: String) throws -> UnifiedCache {
    try UnifiedCache(UnifiedSample(name: name).bytes)
  }

  @Test(arguments: UnifiedSample.all)
  func `an unchanged cache is written byte for byte`(_ sample: UnifiedSample) throws {
    var cache = try UnifiedCache(sample.bytes)
    #expect(!sample.bytes.isEmpty && !cache.isChanged)
    #expect(cache.bytes() == sample.bytes)
  }

  @Test(arguments: ["aad_user_foci", "go_aad_user_foci", "node_aad_user_foci"])
  func `a token stored under a tenant alias is found by tenant ID`(_ name: String) throws {
    let cache = try cache(name)
    let scope = "https://management.core.windows.net//.default"
    #expect(cache.plain(Sample.alice, scope).count == 1)
    #expect(cache.plain(Sample.alice, scope, client: "other").isEmpty)
    let owned = cache.records(of: Sample.alice)
    #expect(
      owned.contains {
        if case .account(let account) = $0 { account.realm == Sample.tenant } else { false }
      })
    #expect(
      cache.allAccounts().filter { if case .account = $0 { true } else { false } }.count == 1)
    let refresh = owned.compactMap { record -> CredentialRecord? in
      if case .credential(let token) = record, token.type == .refreshToken { token } else { nil }
    }
    #expect(refresh.map(\.familyID) == ["1"])
  }

  @Test func `an account with an unpaired surrogate in its user name is found`() throws {
    let entry = #""home_account_id":"u.t","environment":"login.microsoftonline.com","realm":"t""#
    for (member, isFound) in [("username", true), ("name", true), ("local_account_id", false)] {
      let text = #"{"Account":{"k":{\#(entry),"authority_type":"MSSTS","\#(member)":"a\ud83d"}}}"#
      var cache = try UnifiedCache(Array(text.utf8))
      let account = cache.allAccounts().compactMap(\.owner).first
      #expect(account == (isFound ? "u.t" : nil), "\(member)")
      #expect(cache.bytes() == Array(text.utf8))
    }
  }

  @Test func `a guest's token belongs to the guest tenant`() throws {
    let cache = try cache("aad_user_foci")
    let graph = "https://graph.microsoft.com/.default"
    #expect(cache.plain(Sample.alice, graph) == ["AT-graph"])
    #expect(
      cache.plain(Sample.alice, graph, realm: "bbbbbbbb-0000-4000-8000-00000000000b")
        == ["AT-graph-guest"])
  }

  @Test func `a personal account's token belongs to the tenant of personal accounts`() throws {
    let cache = try cache("msa_user")
    let account = try #require(cache.allAccounts().compactMap(\.owner).first)
    let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    let token = try #require(cache.accessTokens(of: account, having: nil).first)
    #expect(token.realm == tenant)
  }

  @Test func `a B2C token belongs to the tenant of the user`() throws {
    let cache = try cache("b2c_user")
    let account = "11111111-0000-4000-8000-000000000001-b2c_1_signupsignin.\(Sample.tenant)"
    let token = try #require(cache.accessTokens(of: account, having: nil).first)
    #expect(token.realm == Sample.tenant)
  }

  @Test(arguments: [nil, ""])
  func `a token without a tenant is read back without one`(_ realm: String?) throws {
    var token = Sample.accessToken("s")
    token.homeAccountID = "11111111-0000-4000-8000-000000000001-b2c_1_signupsignin.\(Sample.tenant)"
    token.realm = realm
    let cache = UnifiedCache(records: [.credential(token)])
    #expect(cache.everything().map { $0.accessToken?.realm ?? "" } == [""])
    #expect(cache.everything().map(\.key) == [token.key])
  }

  @Test func `an ADFS token has no tenant`() throws {
    var cache = try cache("adfs_user")
    let account = "uW3+subfromadfs="
    let token = try #require(cache.accessTokens(of: account, having: nil).first)
    #expect(token.realm == "" && cache.records(of: account).count == 3)
    var new = token
    new["secret"] = "renewed"
    CacheChange([.replaceAccessToken(new)]).apply(to: &cache)
    let realms = cache.json.entries.values.filter { $0["secret"] == "renewed" }.map { $0["realm"] }
    #expect(realms == ["adfs"])
  }

  @Test(arguments: ["client_credentials", "go_client_credentials"])
  func `an app-only token is found, and tokens with extended keys are foreign entries`(
    _ name: String
  ) throws {
    var cache = try cache(name)
    let client = "cccccccc-0000-4000-8000-00000000000c"
    let plain = cache.plain("", "https://graph.microsoft.com/.default", client: client)
    #expect(plain == [name == "client_credentials" ? "AT-app" : "AT-go-app"])
    #expect(cache.accessTokens(of: "", having: nil).count == 1)
    let tokens = UnifiedSample(name: name).entries.filter { $0.key.hasPrefix("AccessToken") }
    let kept = cache.foreignEntries
    #expect(kept.count == tokens.count - 1 && kept.allSatisfy { tokens[$0.key] == $0.value })
    try signOut(&cache)
    #expect(cache.foreignEntries == kept)
  }

  @Test func `an empty or invalid home account ID is read as none`() throws {
    for value in ["null", "\"\"", "1"] {
      let text =
        #"{"AccessToken":{"k":{"secret":"s","environment":"e","client_id":"c","target":"t","#
        + #""realm":"r","expires_on":5,"home_account_id":\#(value)}}}"#
      let cache = try UnifiedCache(Array(text.utf8))
      #expect(cache.plain("", "t", client: "c", realm: "r") == ["s"])
    }
  }

  @Test(arguments: ["ssh_cert", "node_obo"])
  func `a key-bound or on-behalf-of token is never returned but is removed at sign-out`(
    _ name: String
  ) throws {
    var cache = try cache(name)
    #expect(cache.accessTokens(of: Sample.alice, having: nil).isEmpty)
    #expect(cache.foreignEntries.count == 1)
    try signOut(&cache)
    #expect(cache.json["AccessToken"] == .object([:]))
  }

  @Test(arguments: [
    "kid", "key_id", "keyid", "ext_cache_key", "user_assertion_hash", "userAssertionHash",
    "requestedClaims",
  ])
  func `a token with any additional key member is a foreign entry`(_ name: String) throws {
    for (section, type) in [
      ("AccessToken", CredentialType.accessToken), ("RefreshToken", .refreshToken),
    ] {
      var token = (type == .accessToken ? Sample.accessToken("s") : Sample.credential(type, "s"))
        .members
      token[name] = "x"
      let text = JSONValue.object([section: .object(["k": .object(token)])])
      var cache = try UnifiedCache(text.bytes)
      #expect(cache.secrets(Sample.alice).isEmpty)
      #expect(cache.foreignEntries == ["\(section) k": .object(token)])
      try signOut(&cache)
      #expect(cache.foreignEntries.isEmpty && cache.json[section] == .object([:]))
      token[name] = ""
      cache = try UnifiedCache(JSONValue.object([section: .object(["k": .object(token)])]).bytes)
      #expect(cache.secrets(Sample.alice) == ["s"])
    }
  }

  @Test(arguments: ["", "hash"])
  func `a scope with the name of a type is not an extended key`(_ assertion: String) throws {
    var token = Sample.accessToken("s", "https://x/-atext-/read").members
    token["userAssertionHash"] = .string(assertion)
    let entries: JSONObject = ["k": .object(token)]
    var cache = try UnifiedCache(JSONValue.object(["AccessToken": .object(entries)]).bytes)
    for _ in 0..<2 {
      cache = try UnifiedCache(cache.bytes())
      let record = try #require(cache.everything().first)
      #expect(cache.everything().count == 1)
      #expect(cache.plain(Sample.alice, "https://x/-atext-/read").isEmpty == !assertion.isEmpty)
      cache.put(record)
    }
  }

  @Test func `a sign-out keeps the tokens of the same account ID at another provider`() throws {
    var token = Sample.accessToken("s").members
    token["kid"] = "x"
    token["environment"] = "adfs.example"
    var cache = try UnifiedCache(
      JSONValue.object(["AccessToken": .object(["k": .object(token)])]).bytes)
    try signOut(&cache)
    #expect(cache.foreignEntries.count == 1)
  }

  private func signOut(_ cache: inout UnifiedCache) throws {
    let step = CacheChange.SignOut(
      homeAccountID: Sample.alice, clientID: nil, environments: [Sample.host, "login.windows.net"],
      isEntra: true)
    CacheChange([.signOut(step)]).apply(to: &cache)
  }
}
