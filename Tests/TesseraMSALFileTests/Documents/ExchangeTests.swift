// SPDX-License-Identifier: MIT
// The store as a document of the MSAL libraries: listed entries, foreign entries and concurrent writers.

import TesseraWire
import Testing

@testable import TesseraCache
@testable import TesseraMSALFile

@Suite struct ExchangeTests {
  private static let home = "uid.aaaabbbb-0000-cccc-1111-dddd2222eeee"

  /// Returns the document of a table.
  private static func document(_ table: MemoryTable) throws -> JSONObject {
    try #require(CacheDocument(table.everything()) { $0 }.json.object)
  }

  private static func write(
    _ before: String, _ after: String, _ table: inout MemoryTable
  ) throws {
    let edits = try CacheDocument(parsing: after).edits(from: CacheDocument(parsing: before))
    CacheChange([.feature(edits)]).apply(to: &table)
  }

  private static func entry(
    _ section: String, _ key: String, _ secret: String, _ more: String = ""
  ) -> String {
    """
    {"\(section)": {"\(key)": {"credential_type": "\(section)", "secret": "\(secret)", \
    "home_account_id": "\(home)", "environment": "login.windows.net", "client_id": "client"\(more)}}}
    """
  }

  private static func token(_ secret: String, _ more: String = "") -> String {
    entry("RefreshToken", "key", secret, more)
  }

  private static func accessToken(_ secret: String, _ target: String) -> CredentialRecord {
    var token = CredentialRecord(type: .accessToken, secret: Secret(secret))
    token.homeAccountID = home
    token.environment = "login.windows.net"
    token.clientID = "client"
    token.target = target
    return token
  }

  private func secrets(_ table: MemoryTable, _ section: String) throws -> [String] {
    let entries = try Self.document(table)[section]?.object?.members ?? []
    return entries.compactMap { $0.value.object?["secret"]?.string }
  }

  @Test func `of accounts whose IDs differ only in case, the document has the last one`()
    throws
  {
    var table = MemoryTable()
    for (id, time) in [("00uAbC", "1"), ("00uabc", "2")] {
      let time = ", \"home_account_id\": \"\(id)\", \"last_modification_time\": \"\(time)\""
      try Self.write("", Self.token(id, time), &table)
    }
    #expect(try secrets(table, "RefreshToken") == ["00uabc"])
    let document = JSONValue.object(try Self.document(table)).serialized
    // MSAL signs the shown account out.
    try Self.write(document, "", &table)
    #expect(try secrets(table, "RefreshToken") == ["00uAbC"])
  }

  @Test func `concurrent writers do not lose each other's changes`() throws {
    var table = MemoryTable()
    let id = Self.entry("IdToken", "key", "id", ", \"realm\": \"t\"")
    try Self.write("", Self.token("one"), &table)
    try Self.write("", id, &table)
    #expect(try secrets(table, "RefreshToken") == ["one"])
    #expect(try secrets(table, "IdToken") == ["id"])
    try Self.write(id, "", &table)
    #expect(try secrets(table, "RefreshToken") == ["one"])
    #expect(try secrets(table, "IdToken") == [])
  }

  @Test func `scopes in the server's order are read back as the same record`() throws {
    var token = Self.accessToken("s", "openid User.Read")
    token.realm = "t"
    token.expiresAt = Instant(secondsSince1970: 5)
    var table = MemoryTable()
    table.put(.credential(token))
    let document = JSONValue.object(try Self.document(table)).serialized
    var other = MemoryTable()
    try Self.write("", document, &other)
    #expect(other.everything().map(\.key) == [token.key])
  }

  @Test func `the newer token is kept`() throws {
    var table = MemoryTable()
    let times = ["one": 100, "two": 90, "three": 100].mapValues {
      ", \"last_modification_time\": \"\($0)\""
    }
    for (secret, expected) in [("one", "one"), ("two", "one"), ("three", "three")] {
      try Self.write("", Self.token(secret, times[secret] ?? ""), &table)
      #expect(try secrets(table, "RefreshToken") == [expected])
    }
  }

  @Test func `removing an entry removes a newer refresh token but not a newer ID token`() throws {
    var table = MemoryTable()
    try Self.write("", Self.token("newer"), &table)
    try Self.write("", Self.entry("IdToken", "key", "newer"), &table)
    try Self.write(Self.entry("IdToken", "key", "older"), "", &table)
    try Self.write(Self.token("older"), "", &table)
    #expect(try secrets(table, "IdToken") == ["newer"])
    #expect(try secrets(table, "RefreshToken") == [])
  }

  @Test func `an app-only token is replaced and removed like any other token`() throws {
    func token(_ secret: String, _ time: Int) -> String {
      """
      {"AccessToken": {"-host-accesstoken-client-tenant-scope": {"credential_type": "AccessToken", \
      "home_account_id": null, "secret": "\(secret)", "cached_at": "\(time)"}}}
      """
    }
    var table = MemoryTable()
    for (write, expected) in [
      (("", token("old", 1)), "old"), ((token("old", 1), token("new", 9)), "new"),
      ((token("old", 1), ""), "new"), ((token("old", 1), token("late", 8)), "new"),
    ] {
      try Self.write(write.0, write.1, &table)
      #expect(try secrets(table, "AccessToken") == [expected])
    }
    try Self.write(token("new", 9), "", &table)
    #expect(table.everything().isEmpty)
  }

  @Test func `a family token is stored and removed under family and application`() throws {
    var table = MemoryTable()
    let text = Self.token("one", ", \"family_id\": \"1\"")
    try Self.write("", text, &table)
    #expect(table.records(of: Self.home).count == 2)
    let entries = try #require(try Self.document(table)["RefreshToken"]?.object?.members)
    #expect(entries.map { $0.value.object?["family_id"] } == ["1"])
    try Self.write(text, "", &table)
    #expect(table.everything().isEmpty)
  }

  @Test func `a token is listed under the tenant alias and the tenant ID`() throws {
    var table = MemoryTable()
    let text = Self.entry("IdToken", "key", "one", ", \"realm\": \"organizations\"")
    try Self.write("", text, &table)
    let entries = try #require(try Self.document(table)["IdToken"]?.object?.members)
    let realms = entries.compactMap { $0.value.object?["realm"]?.string }
    #expect(realms == ["aaaabbbb-0000-cccc-1111-dddd2222eeee", "organizations"])
    #expect(entries.allSatisfy { $0.value.object?["tessera_realm"] == nil })
  }

  @Test(
    arguments: [
      ", \"target\": \"a\", \"ext_cache_key\": \"x\"", ", \"target\": \"a\", \"key_id\": \"x\"",
      ", \"target\": \"a\", \"token_type\": \"pop\"", "",
    ])
  func `an entry without a record type is kept, and removed at sign-out`(
    more: String
  ) throws {
    var table = MemoryTable()
    let text = Self.entry("AccessToken", "Any-Key", "one", more)
    try Self.write("", text, &table)
    #expect(table.accessTokens(of: Self.home, having: nil).isEmpty)
    #expect(try JSONValue.object(Self.document(table)) == JSONValue(parsing: text))
    let signOut = CacheChange.SignOut(
      homeAccountID: Self.home, clientID: "CLIENT", environments: ["login.windows.net"],
      isEntra: false)
    CacheChange([.signOut(signOut)]).apply(to: &table)
    #expect(table.everything().isEmpty)
  }

  @Test func `records that only Tessera uses are not listed`() throws {
    var table = MemoryTable()
    var token = Self.accessToken("capable", "a")
    token.requestedClaims = "{}"
    table.put(.credential(token))
    CacheChange([
      .signIn(homeAccountID: Self.home, clientID: "client", requested: "a", result: "b")
    ]).apply(to: &table)
    #expect(table.everything().count == 2)
    #expect(try Self.document(table).members.isEmpty)
  }

  @Test func `the sign-in state follows sign-ins and sign-outs of other libraries`() throws {
    var table = MemoryTable()
    let state = { (table: MemoryTable) in
      table.accountMetadata(of: "client", Self.home).state(of: Self.home)
    }
    try Self.write("", Self.token("one"), &table)
    #expect(state(table) == .unknown)
    CacheChange([
      .signIn(homeAccountID: Self.home, clientID: "client", requested: "a", result: "a")
    ]).apply(to: &table)
    try Self.write(Self.token("one"), "", &table)
    #expect(state(table) == .signedOut)
    try Self.write("", Self.token("two"), &table)
    #expect(state(table) == .signedIn)
  }

  @Test func `invalid documents are rejected`() {
    for text in ["x", "[]", "{\"a\":}", "7", "null"] {
      #expect(throws: JSONError.self) { try CacheDocument(parsing: text) }
    }
  }
}
