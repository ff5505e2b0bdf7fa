// SPDX-License-Identifier: MIT
// Written entries can be read by all libraries, and entries of other libraries are preserved.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedWritingTests {
  private typealias Sample = UnifiedSample

  private func cache(_ name: String) throws -> UnifiedCache {
    try UnifiedCache(UnifiedSample(name: name).bytes)
  }

  @Test(arguments: UnifiedSample.all)
  func `adding an entry preserves all others and the layout`(_ sample: UnifiedSample)
    throws
  {
    var cache = try UnifiedCache(sample.bytes)
    let before = cache.json.entries
    cache.put(.credential(Sample.accessToken("new", "https://new/read", client: "new")))
    #expect(cache.isChanged)
    let bytes = cache.bytes()
    #expect(!cache.isChanged)
    let after = try JSONValue(parsing: bytes).entries
    for (key, entry) in before { #expect(after[key] == entry) }
    #expect(after.count == before.count + 1)
    let isIndented = sample.bytes.starts(with: "{\n    \"".utf8)
    #expect(bytes.contains(0x0A) == isIndented)
    // Existing entries are preserved byte for byte.
    let text = String(decoding: sample.bytes, as: UTF8.self)
    let head = text.prefix { $0 != "}" }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(head))
    cache.remove(Sample.accessToken("", "https://new/read", client: "new").key)
    let restored = cache.bytes()
    #expect(restored == sample.bytes || sample.name.hasSuffix("_obo"))
  }

  @Test(arguments: TestVector.all(in: "msal_family", areas: "unified.python-entries"))
  func `records are written with the keys and members of MSAL Python`(_ vector: TestVector) throws {
    let cache = try UnifiedCache(vector.expected.bytes)
    let isADFS = vector.expected["Account"]?.object?.members.first?.value["realm"] == "adfs"
    let names = UnifiedNames(tenantAlias: isADFS ? "adfs" : nil)
    let copy = UnifiedCache(records: cache.everything(), names: names)
    let (written, expected) = (copy.json.entries, vector.expected.entries)
    #expect(Set(written.keys) == Set(expected.keys))
    for (key, entry) in expected {
      for member in entry.object?.members ?? [] where member.name != "credential_type" {
        #expect(written[key]?[member.name] == member.value, "\(member.name)")
      }
    }
  }

  @Test func `an access token has all members that other libraries require`() throws {
    var cache = UnifiedCache()
    var token = Sample.accessToken("s", "B.b a.A")
    token["tessera_received"] = "1"
    token["refresh_on"] = ""
    cache.put(.credential(token))
    let (key, entry) = try #require(cache.json.entries.first)
    #expect(
      key
        == "AccessToken \(Sample.alice)-\(Sample.host)-accesstoken-\(Sample.cli)-\(Sample.tenant)-b.b a.a"
    )
    let expected: JSONObject = [
      "credential_type": "AccessToken", "secret": "s", "home_account_id": .string(Sample.alice),
      "environment": .string(Sample.host), "client_id": .string(Sample.cli), "target": "B.b a.A",
      "realm": .string(Sample.tenant), "token_type": "Bearer", "cached_at": "2000000000",
      "expires_on": "2000003600", "extended_expires_on": "2000003600", "tessera_received": "1",
    ]
    #expect(entry == .object(expected))
  }

  @Test func `scopes are written sorted and read back in the original order`() throws {
    var cache = UnifiedCache()
    let token = Sample.accessToken("s", "b a C")
    cache.put(.credential(token))
    #expect(cache.json.entries.values.first?["target"] == "C a b")
    #expect(cache.accessTokens(of: Sample.alice, having: "a").first?.target == "b a C")
    guard case .credential(let found)? = cache.record(at: token.key) else {
      Issue.record("it is not found by its key")
      return
    }
    #expect(found.secret.reveal() == "s")
  }

  @Test func `a refresh replaces the entries for the tenant alias and the tenant ID`() throws {
    var cache = try cache("aad_user_foci")
    let old = try #require(
      cache.accessTokens(of: Sample.alice, having: nil).first {
        $0.secret.reveal() == "AT-arm-organizations"
      })
    var new = Sample.accessToken("renewed", old.target ?? "")
    new.realm = Sample.tenant
    CacheChange([.replaceAccessToken(new)]).apply(to: &cache)
    let tokens = cache.json.entries.filter { $0.value["secret"] == "renewed" }
    #expect(
      Set(tokens.values.compactMap { $0["realm"]?.string }) == ["organizations", Sample.tenant])
    #expect(!cache.secrets(Sample.alice).contains("AT-arm-organizations"))
    #expect(
      cache.plain(Sample.alice, "https://management.core.windows.net//.default") == ["renewed"])
  }

  @Test func `with a tenant alias, tokens are written under both the alias and the tenant ID`() {
    var cache = UnifiedCache(names: UnifiedNames(tenantAlias: "organizations"))
    var idToken = Sample.credential(.idToken, "i")
    idToken.realm = Sample.tenant
    cache.put(.credential(Sample.accessToken("a")))
    cache.put(.credential(idToken))
    #expect(cache.json.entries.count == 4)
    #expect(cache.secrets(Sample.alice) == ["a", "i"])
    cache.put(.credential(Sample.accessToken("b")))
    #expect(cache.json.entries.count == 4 && cache.secrets(Sample.alice) == ["b", "i"])
  }

  /// The preferred host of the cloud, and the host of an application that uses another one.
  private static let names = UnifiedNames(
    preferredHosts: [Sample.host: "login.windows.net", "login.windows.net": "login.windows.net"],
    host: Sample.host)

  @Test(arguments: ["aad_user_foci", "node_aad_user_foci"])
  func `cloud hosts are equivalent, and new entries use the application's`(_ name: String) throws {
    var cache = try UnifiedCache(UnifiedSample(name: name).bytes, names: Self.names)
    let account = try #require(
      cache.allAccounts().first { if case .account = $0 { true } else { false } })
    #expect(account.members["environment"] == "login.windows.net")
    let old = try #require(
      cache.accessTokens(of: Sample.alice, having: nil).first { $0.realm == Sample.tenant })
    #expect(cache.record(at: old.key)?.accessToken?.secret == old.secret)
    var new = Sample.accessToken("renewed", old.target ?? "")
    new.environment = "login.windows.net"
    var refresh = Sample.credential(.refreshToken, "rotated")
    refresh.environment = "login.windows.net"
    refresh.familyID = "1"
    CacheChange([.replaceAccessToken(new), .put(.credential(refresh)), .put(account)])
      .apply(to: &cache)
    #expect(!cache.secrets(Sample.alice).contains(old.secret.reveal()))
    let entries = cache.json.entries
    let tokens = entries.values.filter { $0["secret"] == "renewed" }
    #expect(!tokens.isEmpty && tokens.allSatisfy { $0["environment"] == .string(Sample.host) })
    let refreshTokens = entries.filter { $0.key.hasPrefix("RefreshToken") }
    #expect(refreshTokens.count == 1 && refreshTokens.values.first?["secret"] == "rotated")
    #expect(entries.keys.filter { $0.hasPrefix("Account") }.count == 1)
  }

  @Test(arguments: ["aad_user_foci", "go_aad_user_foci"])
  func `a new refresh token replaces the old one`(_ name: String) throws {
    var cache = try cache(name)
    var shared = Sample.credential(.refreshToken, "rotated")
    shared.familyID = "1"
    let own = Sample.credential(.refreshToken, "rotated")
    CacheChange([
      .replaceAccessToken(Sample.accessToken("a")), .put(.credential(shared)),
      .put(.credential(own)),
    ]).apply(to: &cache)
    let entries = cache.json["RefreshToken"]?.object?.members ?? []
    #expect(entries.count == 1 && entries.first?.value["secret"] == "rotated")
    #expect(entries.first?.value["family_id"] == "1")
    #expect(entries.first?.value["last_modification_time"] == "2000000000")
    if name == "aad_user_foci" { #expect(entries.first?.value["target"] != nil) }
  }

  @Test func `an older family token is kept, and the newer one of a sibling is found`() throws {
    var cache = try cache("aad_user_foci")
    var shared = Sample.credential(.refreshToken, "sibling", client: "sibling")
    shared.familyID = "1"
    CacheChange([
      .replaceAccessToken(Sample.accessToken("a", client: "sibling")), .put(.credential(shared)),
    ]).apply(to: &cache)
    #expect(cache.json["RefreshToken"]?.object?.members.count == 2)
    #expect(cache.secrets(Sample.alice).contains("sibling"))
    #expect(!cache.secrets(Sample.alice).contains("RT-family-3"))
  }

  @Test func `a token that a sibling redeemed is in no older entry`() throws {
    var cache = try cache("aad_user_foci")
    let redeemed = try #require(
      cache.records(of: Sample.alice).compactMap { record -> CredentialRecord? in
        guard case .credential(let token) = record else { return nil }
        return token.secret.reveal() == "RT-family-3" ? token : nil
      }.first)
    var shared = Sample.credential(.refreshToken, "sibling", client: "sibling")
    shared.familyID = "1"
    CacheChange([
      .renew(
        redeemed,
        [
          .replaceAccessToken(Sample.accessToken("a", client: "sibling")),
          .put(.credential(shared)),
        ])
    ]).apply(to: &cache)
    let entries = cache.json["RefreshToken"]?.object?.members ?? []
    #expect(entries.map(\.value["secret"]) == ["sibling"])
  }

  @Test func `a known family is kept if the last response omits it`() throws {
    var cache = try cache("aad_user_foci")
    let before = cache.json["AppMetadata"]
    cache.put(
      .appMetadata(AppMetadataRecord(clientID: Sample.cli, environment: Sample.host, familyID: "")))
    #expect(cache.json["AppMetadata"] == before)
  }

  @Test func `an account keeps its entry and the members of other libraries`() throws {
    var cache = try cache("aad_user_foci")
    var account = AccountRecord(
      homeAccountID: Sample.alice, environment: Sample.host, realm: Sample.tenant)
    account.name = "Alice"
    CacheChange([.mergeAccount(account)]).apply(to: &cache)
    let entries = cache.json["Account"]?.object?.members ?? []
    #expect(entries.count == 1)
    let entry = try #require(entries.first?.value)
    #expect(entry["realm"] == "organizations" && entry["account_source"] == "authorization_code")
    #expect(entry["name"] == "Alice" && entry["username"] == "alice@contoso.com")
  }

  @Test func `a new account has all six required members`() {
    var cache = UnifiedCache()
    cache.put(.account(AccountRecord(homeAccountID: "h", environment: "e", realm: "r")))
    let entry = cache.json.entries["Account h-e-r"]
    for name in [
      "home_account_id", "environment", "realm", "local_account_id", "username", "authority_type",
    ] {
      #expect(entry?[name] != nil, "\(name)")
    }
    #expect(entry?["username"] == "")
  }

  @Test(arguments: ["pop", "ssh-cert"])
  func `a key-bound token is not written to the shared sections`(_ scheme: String) {
    var token = Sample.accessToken("bound")
    token["token_type"] = scheme
    var cache = UnifiedCache()
    cache.put(.credential(token))
    #expect(cache.json["AccessToken"] == nil)
    #expect(cache.record(at: token.key) == .credential(token))
  }
}
