// SPDX-License-Identifier: MIT
// Stores of an older or newer layout: read, written without loss, upgraded or rejected.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct LayoutTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func accessToken(_ secret: String, expires: String = "2000000000") -> CredentialRecord {
    var token = CredentialRecord(type: .accessToken, secret: Secret(secret))
    token.homeAccountID = "home"
    token.environment = "issuer.example"
    token.clientID = "client"
    token.realm = "tenant"
    token.target = "read"
    token["expires_on"] = expires
    token["from_the_future"] = "kept"
    return token
  }

  private func makeFirst() throws {
    try UserMask.closed {
      try bench.run(
        OldLayout.first + OldLayout.row(.credential(StoreBench.token("refresh")))
          + OldLayout.row(.credential(accessToken("access"))))
    }
  }

  @Test func `reading a store of the first layout changes nothing`() throws {
    try makeFirst()
    #expect(try bench.secrets(bench.store()) == ["refresh", "access"])
    #expect(try bench.value("PRAGMA user_version") == "1")
    #expect(bench.key.state.withLock { $0.made } == 0)
  }

  @Test func `the first commit upgrades and encrypts a store of the first layout`() throws {
    try makeFirst()
    let reader = bench.store()
    #expect(try bench.secrets(reader) == ["refresh", "access"])
    try bench.commit(bench.store(), "new", owner: "other")
    #expect(try bench.value("PRAGMA user_version") == "3000")
    #expect(try bench.value("SELECT count(*) FROM record WHERE key_id = 0") == "0")
    #expect(
      try bench.value("SELECT group_concat(expires) FROM record WHERE type = 2001") == "2000000000")
    // An application that opened the store before the upgrade continues.
    #expect(try bench.secrets(reader) == ["refresh", "access"])
    #expect(try bench.secrets(bench.store(), owner: "other") == ["new"])
    #expect(try !bench.filesHold("from_the_future"))
    #expect(try bench.value("PRAGMA auto_vacuum") == "2")
  }

  @Test func `commits to a newer minor layout keep unknown columns, tables and rows`() throws {
    let store = bench.store()
    try bench.commit(store, "first")
    try bench.run(OldLayout.newerMinor)
    try bench.run(
      """
      UPDATE record SET used = 42;
      INSERT INTO record (key, name, type, owner, key_id, body, used) VALUES
        (77, 77, 7001, \(RecordKey.number(of: "home")), 0, CAST('{"x":1}' AS BLOB), 1);
      """)
    for other in [store, bench.store()] {
      try bench.commit(other, "second")
      try other.commit(CacheChange([.replaceAccessToken(accessToken("access"))]), within: .none)
      #expect(try bench.secrets(other).isSuperset(of: ["second", "access"]))
    }
    #expect(try bench.value("PRAGMA user_version") == "3001")
    #expect(try bench.value("SELECT used FROM record WHERE type = 2002") == "42")
    #expect(try bench.value("SELECT count FROM usage") == "7")
    #expect(try bench.value("SELECT CAST(body AS TEXT) FROM record WHERE key = 77") == #"{"x":1}"#)
  }

  @Test func `members of a newer version survive a rewrite of the record`() throws {
    var account = AccountRecord(
      homeAccountID: "home", environment: "issuer.example", realm: "tenant")
    account["from_the_future"] = "kept"
    try bench.store().commit(CacheChange([.mergeAccount(account)]), within: .none)
    account = AccountRecord(
      homeAccountID: "home", environment: "issuer.example", realm: "tenant")
    account.name = "Name"
    try bench.store().commit(CacheChange([.mergeAccount(account)]), within: .none)
    let seen = try bench.snapshot(bench.store()).accounts.first
    #expect(seen?["from_the_future"] == "kept")
    #expect(seen?.name == "Name")
  }

  @Test(arguments: [4000, 4001, 12_000])
  func `a newer major layout is rejected, also by a store opened before`(_ version: Int) throws {
    let store = bench.store()
    try bench.commit(store, "kept")
    try bench.run("PRAGMA user_version = \(version)")
    for other in [store, bench.store()] {
      expect(.storeTooNew) { _ = try bench.secrets(other) }
      expect(.storeTooNew) { try bench.commit(other, "lost") }
    }
    try bench.run("PRAGMA user_version = 3000")
    #expect(try bench.secrets(bench.store()) == ["kept"])
  }

  @Test func `alternating writers of two layouts hide no newer token`() throws {
    let key = PlaintextProtection()
    let ours = bench.store(key)
    try bench.commit(ours, "0")
    try bench.run(OldLayout.newerMinor)
    let reader = bench.store(key)
    for round in 1...200 {
      let token = CacheRecord.credential(StoreBench.token("\(round)"))
      if round.isMultiple(of: 2) {
        // As a newer version would: with a column and a record type of its own.
        try bench.run(
          """
          BEGIN IMMEDIATE;
          UPDATE record SET used = \(round),
            body = CAST('\(JSONValue.object(token.members).serialized)' AS BLOB)
            WHERE name = \(token.key.number);
          INSERT INTO record (key, name, type, key_id, body, used)
            VALUES (\(round), \(round), 7001, 0, x'7b7d', 1);
          COMMIT;
          """)
      } else {
        try ours.commit(CacheChange([.put(token)]), within: .none)
      }
      #expect(try bench.secrets(reader) == ["\(round)"])
    }
    #expect(try bench.value("SELECT count(*) FROM record WHERE type = 7001") == "100")
    #expect(try bench.value("SELECT used FROM record WHERE type = 2002") == "200")
  }

  @Test func `a user_version that no version writes is damage`() throws {
    try bench.commit(bench.store(), "kept")
    try bench.run("PRAGMA user_version = 1999")
    expect(.cacheDamaged) { _ = try bench.secrets(bench.store()) }
  }
}
