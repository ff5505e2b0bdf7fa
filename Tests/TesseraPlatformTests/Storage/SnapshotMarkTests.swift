// SPDX-License-Identifier: MIT
// What a store recognises after a commit without opening a record: that nothing has changed for somebody, and no more.

import TesseraCache
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct SnapshotMarkTests {
  private let directory: TemporaryDirectory
  private let key = FixedKey()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func store(isSealed: Bool) -> SQLiteStore {
    SQLiteStore(
      group: "group", directory: directory.path, protection: isSealed ? key : ClearProtection(),
      time: SystemTime())
  }

  private func credential(
    _ type: CredentialType, _ secret: String, _ scope: String? = nil
  ) -> CacheRecord {
    var token = CredentialRecord(type: type, secret: Secret(secret))
    token.homeAccountID = "home"
    token.environment = "issuer.example"
    token.clientID = "client"
    token.realm = type.isRefreshToken ? nil : "tenant"
    token.target = scope
    return .credential(token)
  }

  private func commit(_ store: SQLiteStore, _ records: CacheRecord...) throws {
    try store.commit(CacheChange(records.map(CacheChange.Step.put)), within: .none)
  }

  private func signIn(_ store: SQLiteStore) throws {
    try commit(
      store, credential(.accessToken, "a1", "read"), credential(.refreshToken, "r1"),
      credential(.idToken, "i1"))
  }

  private func snapshot(_ store: SQLiteStore) throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.owner = "home"
    selection.scope = "read"
    selection.keys = [
      AppMetadataRecord(clientID: "client", environment: "issuer.example", familyID: "").key
    ]
    return try store.snapshot(selection, within: .none)
  }

  /// A scope whose access tokens share the freshness word of those that are read here.
  private var neighbour: String? {
    func part(_ scope: String) -> Int {
      StoreParts.part(of: SQLiteTable.scopeName("home", scope))
    }
    return (0..<100_000).lazy.map { "write\($0)" }.first { part($0) == part("read") }
  }

  @Test(arguments: [false, true])
  func `a token that shares a word leaves a snapshot what it is, with a new version`(
    _ isSealed: Bool
  ) throws {
    let (store, other) = (store(isSealed: isSealed), store(isSealed: isSealed))
    try signIn(store)
    let seen = try snapshot(store)
    let (version, mark) = (try #require(seen.version), try #require(seen.mark))
    #expect(store.version(ifStill: mark, within: .none) == version)
    let shared: String = try #require(neighbour)
    try commit(other, credential(.accessToken, "a2", shared))
    #expect(!store.isCurrent(version))
    let renewed = try #require(store.version(ifStill: mark, within: .none))
    #expect(renewed != version && store.isCurrent(renewed))
    #expect(try snapshot(store).mark == mark)
  }

  @Test(arguments: [
    ("access token", false), ("refresh token", false), ("ID token", false), ("new record", false),
    ("access token", true), ("refresh token", true), ("ID token", true), ("new record", true),
  ])
  func `whatever a snapshot shows ends its mark`(_ what: String, _ isSealed: Bool) throws {
    let (store, other) = (store(isSealed: isSealed), store(isSealed: isSealed))
    try signIn(store)
    let mark = try #require(try snapshot(store).mark)
    let record =
      switch what {
      case "access token": credential(.accessToken, "a2", "read")
      case "refresh token": credential(.refreshToken, "r2")
      case "ID token": credential(.idToken, "i2")
      default:
        CacheRecord.account(
          AccountRecord(homeAccountID: "home", environment: "issuer.example", realm: "tenant"))
      }
    try commit(other, record)
    #expect(store.version(ifStill: mark, within: .none) == nil)
  }

  @Test func `signing out ends it, and so does what is known of the application`() throws {
    let (store, other) = (store(isSealed: true), store(isSealed: true))
    try signIn(store)
    var mark = try #require(try snapshot(store).mark)
    try commit(
      other,
      .appMetadata(
        AppMetadataRecord(clientID: "client", environment: "issuer.example", familyID: "1")))
    #expect(store.version(ifStill: mark, within: .none) == nil)
    mark = try #require(try snapshot(store).mark)
    let signOut = CacheChange.SignOut(
      homeAccountID: "home", clientID: "client", environments: ["issuer.example"], isEntra: false)
    try other.commit(CacheChange([.signOut(signOut)]), within: .none)
    #expect(store.version(ifStill: mark, within: .none) == nil)
  }

  @Test func `a new key ends it, and a newer layout is not read`() throws {
    let (store, other) = (store(isSealed: true), store(isSealed: true))
    try signIn(store)
    let mark = try #require(try snapshot(store).mark)
    #expect(try other.rotateKey(to: nil, within: .none))
    #expect(store.version(ifStill: mark, within: .none) == nil)
    let sealedAnew = try #require(try snapshot(store).mark)
    #expect(sealedAnew != mark)
    let connection = try SQLiteConnection(path: directory.path + "/group.db", modeFrom: nil)
    try connection.execute("PRAGMA user_version = 3000")
    #expect(store.version(ifStill: sealedAnew, within: .none) == nil)
  }
}
