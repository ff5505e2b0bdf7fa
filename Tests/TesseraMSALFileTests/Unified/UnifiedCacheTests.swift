// SPDX-License-Identifier: MIT
// The document as a table: lookup, duplicates and Tessera's own section.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@testable import TesseraMSALFile

@Suite struct UnifiedCacheTests {
  private typealias Sample = UnifiedSample

  @Test func `an empty cache is an empty JSON object`() throws {
    var cache = UnifiedCache()
    #expect(cache.bytes() == Array("{}".utf8) && !cache.isChanged)
    cache.put(.credential(Sample.credential(.refreshToken, "r")))
    let bytes = cache.bytes()
    #expect(!bytes.contains(0x0A) && bytes == cache.bytes())
    #expect(try UnifiedCache(bytes).secrets(Sample.alice) == ["r"])
  }

  @Test(arguments: ["{}", "{ }", "{\n}\n", #"{"AccessToken":null}"#, #"{"AccessToken":[1],"x":1}"#])
  func `missing sections are added`(_ text: String) throws {
    var cache = try UnifiedCache(Array(text.utf8))
    cache.put(.credential(Sample.accessToken("a")))
    cache.put(.credential(Sample.credential(.refreshToken, "r")))
    let again = try UnifiedCache(cache.bytes())
    #expect(again.secrets(Sample.alice) == ["a", "r"])
    let old = try JSONValue(parsing: Array(text.utf8))
    #expect(again.json["x"] == old["x"])
  }

  @Test func `the newest of duplicate entries is found, and all are removed together`() throws {
    var cache = UnifiedCache()
    cache.put(.credential(Sample.accessToken("a")))
    var entries = JSONObject()
    for (index, time) in [1_000, 3_000, 2_000].enumerated() {
      entries["key \(index)"] = .object(Sample.accessToken("t\(time)", at: Int64(time)).members)
    }
    cache = try UnifiedCache(JSONValue.object(["AccessToken": .object(entries)]).bytes)
    #expect(
      cache.accessTokens(of: Sample.alice, having: nil).map { $0.secret.reveal() } == ["t3000"])
    var replaced = cache
    CacheChange([.replaceAccessToken(Sample.accessToken("new"))]).apply(to: &replaced)
    #expect(replaced.json["AccessToken"]?.object?.members.count == 1)
    cache.remove(Sample.accessToken("").key)
    #expect(cache.json["AccessToken"] == .object([:]))
  }

  @Test func `tokens that others would return to any caller are in Tessera's section`() throws {
    var bound = Sample.credential(.accessTokenWithAuthScheme, "pop")
    bound.realm = Sample.tenant
    bound.target = "t"
    bound.tokenType = "Pop"
    bound.keyID = "thumb"
    bound.expiresAt = Instant(secondsSince1970: 5)
    var withClaims = Sample.accessToken("claims")
    withClaims.requestedClaims = "{}"
    let cache = UnifiedCache(records: [.credential(bound), .credential(withClaims)])
    #expect(cache.json.entries.isEmpty)
    #expect(cache.json["Tessera"]?.object?.members.count == 2)
    #expect(cache.secrets(Sample.alice) == ["pop", "claims"])
    #expect(cache.plain(Sample.alice, "https://x/read").isEmpty)
  }

  @Test func `a refresh token that was replaced is found by Tessera alone`() throws {
    let old = Sample.credential(.refreshToken, "old")
    var cache = UnifiedCache(records: [.credential(old)])
    cache.put(.credential(old.superseded(by: Secret("unverified"))))
    cache = try UnifiedCache(cache.bytes())
    #expect(cache.json["RefreshToken"]?.object?.members.isEmpty != false)
    #expect(cache.json["Tessera"]?.object?.members.count == 1)
    guard case .credential(let found)? = cache.record(at: old.key) else {
      Issue.record("It is not found.")
      return
    }
    #expect(found.isSuperseded && found.unverifiedSuccessor?.secret == Secret("unverified"))
    #expect(cache.secrets(Sample.alice) == ["old"])
    // A new one takes its place.
    cache.put(.credential(Sample.credential(.refreshToken, "new")))
    #expect(cache.json["Tessera"]?.object?.members.isEmpty != false)
    #expect(cache.secrets(Sample.alice) == ["new"])
  }

  @Test func `a refresh token that was replaced removes no token of another library`() throws {
    let old = Sample.credential(.refreshToken, "old")
    var cache = UnifiedCache(records: [.credential(Sample.credential(.refreshToken, "new"))])
    cache.put(.credential(old.superseded(by: nil)))
    #expect(cache.json["RefreshToken"]?.object?.members.count == 1)
    guard case .credential(let found)? = cache.record(at: old.key) else {
      Issue.record("It is not found.")
      return
    }
    #expect(found.secret == Secret("new"))
  }

  @Test func `every type of record is found by its key and listed once`() {
    var legacy = LegacyAccountRecord(name: "alice@example.com")
    legacy = LegacyAccountRecord(members: legacy.members) ?? legacy
    let key = [UInt8](repeating: 1, count: SignInRecord.keyByteCount)
    let records: [CacheRecord] = [
      .credential(Sample.credential(.primaryRefreshToken, "p")), .legacyAccount(legacy),
      .accountMetadata(AccountMetadataRecord(clientID: "c", homeAccountID: Sample.alice)),
      .accountMetadata(AccountMetadataRecord(clientID: "c")),
      .signIn(SignInRecord(key: key)), .credential(Sample.accessToken("a")),
      .appMetadata(AppMetadataRecord(clientID: "C", environment: "e", familyID: "1")),
      .account(AccountRecord(homeAccountID: "A.b", environment: "E", realm: "r", type: .adfs)),
    ]
    let cache = UnifiedCache(records: records)
    for record in records { #expect(cache.record(at: record.key)?.key == record.key) }
    #expect(cache.everything().count == records.count)
    #expect(cache.records(of: legacy.owner) == [.legacyAccount(legacy)])
    #expect(cache.records(of: Sample.alice).count == 2)
    #expect(cache.allAccounts().count == 5)
  }

  @Test func `hasAccount agrees with the account list`() throws {
    #expect(!UnifiedCache().hasAccount)
    #expect(!UnifiedCache(records: [.credential(Sample.accessToken("a"))]).hasAccount)
    for type in [CredentialType.refreshToken, .idToken] {
      #expect(UnifiedCache(records: [.credential(Sample.credential(type, "r"))]).hasAccount)
    }
    for sample in Sample.all {
      let cache = try UnifiedCache(sample.bytes)
      #expect(cache.hasAccount == !cache.allAccounts().isEmpty)
    }
  }

  @Test func `two users with subjects that differ only in case stay separate`() {
    var tokens: [CacheRecord] = []
    for owner in ["Sub", "sub"] {
      var token = Sample.credential(.refreshToken, owner)
      token.homeAccountID = owner
      tokens.append(.credential(token))
    }
    let cache = UnifiedCache(records: tokens)
    #expect(cache.secrets("Sub") == ["Sub"] && cache.secrets("sub") == ["sub"])
  }

  @Test func `sign-out removes the application's entries regardless of their keys`() throws {
    var cache = try UnifiedCache(UnifiedSample(name: "aad_user_foci").bytes)
    let step = CacheChange.SignOut(
      homeAccountID: Sample.alice, clientID: Sample.cli, environments: [Sample.host], isEntra: true)
    CacheChange([.signOut(step)]).apply(to: &cache)
    #expect(cache.secrets(Sample.alice).isEmpty)
    let left = cache.json.entries.keys
    #expect(left.allSatisfy { $0.hasPrefix("AppMetadata") } && left.count == 1)
    let state = cache.records(of: Sample.alice)
    #expect(
      CacheSnapshot(records: state, version: nil).signInStates(of: Sample.cli) == [
        ExactString(Sample.alice): .signedOut
      ])
  }

  @Test func `a sign-in with another library after a sign-out is detected`() throws {
    var cache = try UnifiedCache(UnifiedSample(name: "aad_user_foci").bytes)
    let step = CacheChange.SignOut(
      homeAccountID: Sample.alice, clientID: Sample.cli, environments: [Sample.host], isEntra: true)
    func state() -> SignInState? {
      CacheSnapshot(records: cache.records(of: Sample.alice), version: nil)
        .signInStates(of: Sample.cli)[Sample.alice]
    }
    CacheChange([.signOut(step)]).apply(to: &cache)
    #expect(state() == .signedOut)
    // A token of another application in the family does not sign in this one.
    cache.put(.credential(Sample.credential(.idToken, "sibling", client: "sibling")))
    #expect(state() == .signedOut)
    cache.put(.credential(Sample.credential(.idToken, "again")))
    #expect(state() == .signedIn)
    CacheChange([.signOut(step)]).apply(to: &cache)
    #expect(state() == .signedOut)
  }

  @Test func `removeEverything keeps unknown sections`() throws {
    let text = #"{"Other":{"a":1},"AccessToken":{"k":{"secret":1}},"Tessera":{"x":{}}}"#
    var cache = try UnifiedCache(Array(text.utf8))
    cache.put(.credential(Sample.accessToken("a")))
    cache.removeEverything()
    #expect(
      String(decoding: cache.bytes(), as: UTF8.self)
        == #"{"Other":{"a":1},"AccessToken":{},"Tessera":{}}"#)
  }

  @Test func `non-ASCII strings are written as ASCII escapes`() throws {
    var account = AccountRecord(homeAccountID: "h", environment: "e", realm: "r")
    account.name = "Jürgen 😀 \"x\"\n"
    var cache = UnifiedCache(records: [.account(account)])
    #expect(cache.bytes().allSatisfy { $0 < 0x80 })
    guard case .account(let read)? = try UnifiedCache(cache.bytes()).records(of: "h").first else {
      Issue.record("the account is missing")
      return
    }
    #expect(read.name == account.name)
  }
}
