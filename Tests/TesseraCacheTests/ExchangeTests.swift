// SPDX-License-Identifier: MIT
// The store as the document of MSAL libraries: what is shown, what is kept, and what two writers do to each other.

import TesseraWire
import Testing

@testable import TesseraCache

@Suite struct ExchangeTests {
  private static let home = "uid.aaaabbbb-0000-cccc-1111-dddd2222eeee"

  /// What a document is after changes were done to a table.
  private static func document(_ table: MemoryTable) throws -> JSONObject {
    try #require(CacheDocument(table.everything()) { $0 }.json.object)
  }

  private static func write(
    _ before: String, _ after: String, _ table: inout MemoryTable
  ) throws {
    let edits = try CacheDocument(parsing: after).edits(from: CacheDocument(parsing: before))
    CacheChange([.exchange(edits)]).apply(to: &table)
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

  @Test func `two writers lose nothing`() throws {
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

  @Test func `scopes in the order of the server come back as the same record`() throws {
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

  @Test func `the newer token stays`() throws {
    var table = MemoryTable()
    let times = ["one": 100, "two": 90, "three": 100].mapValues {
      ", \"last_modification_time\": \"\($0)\""
    }
    for (secret, expected) in [("one", "one"), ("two", "one"), ("three", "three")] {
      try Self.write("", Self.token(secret, times[secret] ?? ""), &table)
      #expect(try secrets(table, "RefreshToken") == [expected])
    }
  }

  @Test func `a refresh token goes with a sign-out, an ID token only if it is the same`() throws {
    var table = MemoryTable()
    try Self.write("", Self.token("newer"), &table)
    try Self.write("", Self.entry("IdToken", "key", "newer"), &table)
    try Self.write(Self.entry("IdToken", "key", "older"), "", &table)
    try Self.write(Self.token("older"), "", &table)
    #expect(try secrets(table, "IdToken") == ["newer"])
    #expect(try secrets(table, "RefreshToken") == [])
  }

  @Test func `a token of an application itself is renewed and removed as others are`() throws {
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

  @Test func `a family's token is stored under both names and goes from both`() throws {
    var table = MemoryTable()
    let text = Self.token("one", ", \"family_id\": \"1\"")
    try Self.write("", text, &table)
    #expect(table.records(of: Self.home).count == 2)
    let entries = try #require(try Self.document(table)["RefreshToken"]?.object?.members)
    #expect(entries.map { $0.value.object?["family_id"] } == ["1"])
    try Self.write(text, "", &table)
    #expect(table.everything().isEmpty)
  }

  @Test func `a token is found by the word of the authority and by the tenant`() throws {
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
  func `what is no record is kept for whoever wrote it, and goes with the account`(
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

  @Test func `nothing of Tessera's own is shown`() throws {
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

  @Test func `signing in and out elsewhere is remembered where something is remembered`() throws {
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

  @Test func `what is no document is an error`() {
    for text in ["x", "[]", "{\"a\":}", "7", "null"] {
      #expect(throws: JSONError.self) { try CacheDocument(parsing: text) }
    }
  }
}
