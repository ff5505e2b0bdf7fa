// SPDX-License-Identifier: MIT
// The credential store in a host application's store: encryption, concurrent writers, failures and damage.

import Tessera
import TesseraCache
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct HostCredentialStoreTests {
  private let host = TestHostStore()
  private let key = FixedKey()

  private func store(
    _ host: TestHostStore? = nil, key: FixedKey? = nil, limitBytes: Int64? = nil
  ) -> HostCredentialStore {
    HostCredentialStore(
      host ?? self.host, partition: "p", protection: key ?? self.key, limitBytes: limitBytes,
      time: SystemTime())
  }

  private func token(_ secret: String, owner: String = "home") -> CredentialRecord {
    var record = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    record.homeAccountID = owner
    record.environment = "issuer.example"
    record.clientID = "client"
    return record
  }

  private func accessToken(_ secret: String, scope: String, expiresAt: Instant) -> CredentialRecord
  {
    var record = CredentialRecord(type: .accessToken, secret: Secret(secret))
    record.homeAccountID = "home"
    record.environment = "issuer.example"
    record.clientID = "client"
    record.realm = "tenant"
    record.target = scope
    record.expiresAt = expiresAt
    return record
  }

  private func commit(_ store: HostCredentialStore, _ records: CredentialRecord...) throws {
    try store.commit(CacheChange(records.map { .put(.credential($0)) }), within: .none)
  }

  private func secrets(_ store: HostCredentialStore) throws -> Set<String> {
    var selection = SnapshotSelection()
    selection.everything = true
    let snapshot = try store.snapshot(selection, within: .none)
    return Set(snapshot.credentials.map { $0.secret.reveal() })
  }

  private func bytes(_ partition: String = "p") throws -> [UInt8] {
    try #require(host[partition])
  }

  @Test func `the host gets encrypted bytes, and a store with the key reads them`() throws {
    try commit(store(), token("canary-of-host"))
    let text = String(decoding: try bytes(), as: UTF8.self)
    #expect(!text.contains("canary-of-host") && !text.contains("issuer.example"))
    #expect(try secrets(store()) == ["canary-of-host"])
    #expect(key.state.withLock { $0.made } == 1)
  }

  @Test func `a partition is not readable under another name`() throws {
    try commit(store(), token("one"))
    host["q"] = try bytes()
    let other = HostCredentialStore(host, partition: "q", protection: key, time: SystemTime())
    expect(.cacheDamaged) { _ = try secrets(other) }
  }

  @Test func `a wrong key is reported and nothing is replaced`() throws {
    try commit(store(), token("one"))
    let before = try bytes()
    let wrong = FixedKey()
    wrong.state.withLock { $0.keys[KeyLocation(source: .caller, name: "key 0")] = Array(0..<32) }
    expect(.cacheUndecryptable) { _ = try secrets(store(key: wrong)) }
    expect(.cacheUndecryptable) { try commit(store(key: wrong), token("two")) }
    #expect(try bytes() == before)
  }

  @Test func `unencrypted bytes are trusted only if the policy allows it`() throws {
    key.state.withLock { ($0.isReachable, $0.allowsUnencrypted) = (false, true) }
    try commit(store(), token("plain"))
    #expect(String(decoding: try bytes(), as: UTF8.self).contains("plain"))
    let strict = FixedKey()
    strict.state.withLock { $0.trustsUnencrypted = false }
    expect(.encryptionUnavailable) { _ = try secrets(store(key: strict)) }
    // With a key, the next commit encrypts everything.
    try commit(store(key: FixedKey()), token("two", owner: "other"))
    #expect(!String(decoding: try bytes(), as: UTF8.self).contains("plain"))
  }

  @Test func `a change after a conflict is applied to the new contents`() throws {
    try commit(store(), token("old"))
    let other = store()
    host.faults.competitor = { [self] in try? commit(other, token("other", owner: "other")) }
    host.faults.supersessions = 3
    try commit(store(), token("new"))
    #expect(try secrets(store()) == ["new", "other"])
    #expect(host.faults.supersessions < 3)
  }

  @Test func `a removed token is not restored by a refresh after a conflict`() throws {
    try commit(store(), token("old"))
    let other = store()
    host.faults.competitor = {
      _ = try? other.commit(CacheChange([.removeEverything]), within: .none)
    }
    host.faults.supersessions = 1
    let outcome = try store().commit(
      CacheChange([.renew(token("old"), [.put(.credential(token("new")))])]), within: .none)
    #expect(outcome == .superseded(.refreshToken))
    #expect(try secrets(store()) == [])
  }

  @Test func `a store that always changes is busy`() throws {
    try commit(store(), token("old"))
    host.faults.competitor = { [host] in host["p"] = host["p"] }
    host.faults.supersessions = .max
    let limits = CallLimits(timeoutMilliseconds: 100, time: SystemTime())
    let error = #expect(throws: TesseraError.self) {
      try store().commit(CacheChange([.put(.credential(token("new")))]), within: limits)
    }
    // The deadline may pass between two attempts, or during one.
    #expect(error?.code == .storeBusy || error?.code == .deadlineExceeded)
    #expect(try secrets(store()) == ["old"])
  }

  @Test func `two first writers agree on one key`() throws {
    let other = store()
    host.faults.competitor = { [self] in try? commit(other, token("other", owner: "other")) }
    host.faults.supersessions = 1
    try commit(store(), token("one"))
    #expect(try secrets(store()) == ["one", "other"])
  }

  @Test(arguments: [1, 2]) func `a failure of the host is an unavailable store`(_ calls: Int) throws
  {
    try commit(store(), token("old"))
    let store = store()
    host.faults.failures = calls
    expect(.storeUnavailable) { try commit(store, token("new")) }
    host.faults.failures = 0
    #expect(try secrets(store) == ["old"])
    try commit(store, token("new"))
    #expect(try secrets(store) == ["new"])
  }

  @Test func `a failure is kept apart from the end of the call`() throws {
    host.faults.failures = 1
    host.faults.delay = 20_000
    let limits = CallLimits(timeoutMilliseconds: 10, time: SystemTime())
    expect(.deadlineExceeded) { _ = try store().snapshot(SnapshotSelection(), within: limits) }
  }

  @Test(arguments: [[], [0], Array("garbage".utf8), Array("tessera-partition 1 0\n{}\n{}".utf8)])
  func `garbage is damage, never an empty store`(_ garbage: [UInt8]) throws {
    host["p"] = garbage
    expect(.cacheDamaged) { _ = try secrets(store()) }
    expect(.cacheDamaged) { try store().checkWritable(within: .none) }
    #expect(try bytes() == garbage)
    #expect(store().info(.preferEncrypted, within: .none).state == .damaged)
  }

  @Test func `every damaged byte is noticed`() throws {
    try commit(store(), token("one"))
    let intact = try bytes()
    for index in intact.indices {
      var damaged = intact
      damaged[index] ^= 1
      host["p"] = damaged
      expect(.cacheDamaged) { _ = try secrets(store()) }
    }
    for count in 0..<intact.count {
      host["p"] = Array(intact.prefix(count))
      expect(.cacheDamaged) { _ = try secrets(store()) }
    }
  }

  @Test func `a sign-in quarantines damage, and the copy can be deleted`() throws {
    host["p"] = Array("garbage".utf8)
    try commit(store(), token("new"))
    #expect(try secrets(store()) == ["new"])
    #expect(try bytes("p.damaged") == Array("garbage".utf8))
    #expect(store().info(.preferEncrypted, within: .none).setAside == ["p.damaged"])
    var selection = SnapshotSelection()
    selection.owner = "stranger"
    guard case .damaged = try store().snapshot(selection, within: .none).condition else {
      Issue.record("The loss is not reported.")
      return
    }
    #expect(try store().deleteQuarantined(within: .none))
    #expect(try bytes("p.damaged").isEmpty)
    #expect(try store().snapshot(selection, within: .none).condition == .usable)
  }

  @Test func `a sign-out replaces damage, although it leaves no records`() throws {
    host["p"] = Array("garbage".utf8)
    try store().commit(CacheChange([.removeEverything]), within: .none)
    #expect(try secrets(store()) == [])
    #expect(try bytes() != Array("garbage".utf8))
  }

  @Test func `a partition cannot have the name of a quarantined one`() {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .host(host, .init(partition: "default.damaged"))
    #expect(throws: TesseraError.self) { try PublicClientApplication(configuration) }
  }

  @Test func `records and members of later versions are kept`() throws {
    let records =
      #"{"later":1,"records":[{"type":7777,"record":{"a":1.50}},"#
      + #"{"type":2002,"hint":[2],"record":\#(JSONValue.object(token("one").members).serialized)}]}"#
    host["p"] = PartitionDocument(keyRow: nil, body: Array(records.utf8)).bytes
    key.state.withLock { ($0.isReachable, $0.allowsUnencrypted) = (false, true) }
    try commit(store(), token("two", owner: "other"))
    let text = String(decoding: try bytes(), as: UTF8.self)
    #expect(text.contains(#""later":1"#) && text.contains(#"{"type":7777,"record":{"a":1.50}}"#))
    #expect(text.contains(#""hint":[2]"#))
    #expect(try secrets(store()) == ["one", "two"])
    try store().commit(CacheChange([.removeEverything]), within: .none)
    #expect(!String(decoding: try bytes(), as: UTF8.self).contains("7777"))
  }

  @Test func `a document of a later version is not changed`() throws {
    let (body, version) = (Array("{}\nbody".utf8), 2)
    let one = PartitionDocument(keyRow: nil, body: Array("body".utf8)).bytes
    #expect(one.suffix(body.count) == body[...])
    let checksum = PartitionDocument.checksum(version, body[...])
    let later = Array("tessera-partition \(version) \(checksum)\n".utf8) + body
    host["p"] = later
    expect(.storeTooNew) { _ = try secrets(store()) }
    expect(.storeTooNew) { try commit(store(), token("new")) }
    #expect(try bytes() == later)
    #expect(store().info(.preferEncrypted, within: .none).state == .tooNew)
  }

  @Test func `a change without effect writes nothing`() throws {
    try store().commit(CacheChange(), within: .none)
    #expect(host["p"] == nil)
    try commit(store(), token("one"))
    let writes = host.writes
    try commit(store(), token("one"))
    try store().commit(CacheChange(), within: .none)
    #expect(host.writes == writes)
  }

  @Test func `contents are read again only after another version`() throws {
    let store = store()
    try commit(store, token("one"))
    _ = try secrets(store)
    let reads = host.reads
    for _ in 0..<3 { #expect(try secrets(store) == ["one"]) }
    #expect(host.reads == reads)
    try commit(self.store(), token("two"))
    #expect(try secrets(store) == ["two"])
  }

  @Test func `expired access tokens are evicted, and those that end first above the limit`() throws
  {
    let now = SystemTime().now
    let expired = accessToken("expired", scope: "a", expiresAt: now.adding(seconds: -4000))
    let soon = accessToken(
      String(repeating: "s", count: 800_000), scope: "b", expiresAt: now.adding(seconds: 60))
    let late = accessToken(
      String(repeating: "l", count: 800_000), scope: "c", expiresAt: now.adding(seconds: 3600))
    let store = store(limitBytes: 1 << 20)
    try commit(store, token("refresh"), expired, soon)
    #expect(try secrets(store).contains("expired") == false)
    try commit(store, late)
    #expect(Set(try secrets(store).map { $0.prefix(1) }) == ["r", "l"])
  }

  @Test func `a rotated key encrypts everything, also for other processes`() throws {
    let other = store()
    try commit(other, token("one"))
    let before = try bytes()
    #expect(try store().rotateKey(to: nil, within: .none))
    #expect(try bytes() != before)
    #expect(key.state.withLock { $0.made } == 2)
    try commit(other, token("two", owner: "other"))
    #expect(try secrets(store()) == ["one", "two"])
    let empty = HostCredentialStore(host, partition: "e", protection: key, time: SystemTime())
    #expect(try !empty.rotateKey(to: nil, within: .none))
  }

  @Test func `one thread has a credential, and the host's lock is released`() throws {
    let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "host locks")
    try store().withLock(on: lock, within: .none) { () throws(TesseraError) in
      let limits = CallLimits(timeoutMilliseconds: 30, time: SystemTime())
      #expect(host.heldLocks.count == 1)
      #expect(host.heldLocks.allSatisfy { $0.utf8.count <= 16 })
      let error = #expect(throws: TesseraError.self) {
        try store().withLock(on: lock, within: limits) {}
      }
      #expect(error?.code == .storeBusy)
    }
    #expect(host.heldLocks.isEmpty)
  }

  @Test func `a lock that another process holds ends at the deadline or by cancellation`() throws {
    let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "other process")
    let name = String(UInt64(bitPattern: RecordKey.number(of: lock.name)), radix: 16)
    #expect(try host.lock(name, timeout: .zero))
    let limits = CallLimits(timeoutMilliseconds: 30, time: SystemTime())
    expect(.storeBusy) { try store().withLock(on: lock, within: limits) {} }
    let cancellation = Cancellation()
    cancellation.cancel()
    expect(.cancelled) {
      try store().withLock(
        on: lock, within: CallLimits(cancellation: cancellation, time: SystemTime())
      ) {}
    }
    host.unlock(name)
    try store().withLock(on: lock, within: .none) {}
  }

  @Test func `the information names the locks and the protection`() throws {
    let missing = store().info(.preferEncrypted, within: .none)
    #expect((missing.state, missing.lockScope) == (.missing, .host))
    try commit(store(), token("one"))
    let info = store().info(.preferEncrypted, within: .none)
    #expect((info.state, info.protection, info.keySource) == (.usable, .encrypted, .caller))
    #expect(info.records?.refreshTokens == 1 && info.path == nil)
    let simple = TestHostStore(reportsVersions: false, hasLocks: false)
    #expect(store(simple).info(.preferEncrypted, within: .none).lockScope == .process)
  }

  @Test func `a failed commit keeps the token in memory until the host works again`() throws {
    let cache = CredentialCache(
      store: store(), time: SystemTime(), log: .silent,
      metrics: MetricsRecorder(time: SystemTime()))
    host.faults.failures = 100
    let change = CacheChange([.put(.credential(token("rotated")))])
    guard case .queued(let error) = cache.commit(change, within: .none) else {
      Issue.record("The change was committed.")
      return
    }
    #expect(error.code == .storeUnavailable)
    #expect(host["p"] == nil)
    host.faults.failures = 0
    var selection = SnapshotSelection()
    selection.owner = "home"
    #expect(try cache.snapshot(selection, within: .none).credentials.count == 1)
    #expect(try secrets(store()) == ["rotated"])
  }
}
