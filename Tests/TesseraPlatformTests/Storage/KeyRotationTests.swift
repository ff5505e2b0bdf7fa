// SPDX-License-Identifier: MIT
// Key rotation: running applications, rejected keys, and the stores that an application with its own key trusts.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct KeyRotationTests {
  private let bench: StoreBench
  private let keys: TemporaryDirectory
  private let old = KeyRotationTests.key(7)
  private let new = KeyRotationTests.key(8)

  init() throws {
    bench = try StoreBench()
    keys = try TemporaryDirectory()
  }

  private static func key(_ byte: UInt8) -> StoreKey {
    StoreKey([UInt8](repeating: byte, count: StoreKey.byteCount))
  }

  /// Returns a store of an application that uses key files or its own key.
  private func program(
    _ key: StoreKey? = nil, sources: [KeySource]? = nil, policy: StoragePolicy = .preferEncrypted
  ) -> SQLiteStore {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .sqlite(policy: policy, keySources: sources, key: key)
    let files = KeyFile(directory: keys.path + "/keys", storeDirectory: bench.directory.path)
    return bench.store(
      KeyProvider(
        configuration, storages: [files], time: SystemTime(), randomness: SystemRandomness()))
  }

  private func keyFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: keys.path + "/keys").sorted()
  }

  @Test func `each rotation creates a new key, and open stores remain readable`() throws {
    let (store, reader) = (program(), program())
    try bench.commit(store, "kept")
    #expect(try bench.secrets(reader) == ["kept"])
    for round in 2...4 {
      let mine = round == 3 ? reader : store
      #expect(try mine.rotateKey(to: nil, within: .none))
      #expect(try keyFiles().count == round)
      for program in [store, reader, program()] {
        #expect(try bench.secrets(program) == ["kept"])
      }
      #expect(try bench.value("SELECT group_concat(id) FROM seal") == "\(round)")
    }
    #expect(try bench.value("SELECT group_concat(DISTINCT key_id) FROM record") == "4")
    try bench.commit(reader, "other", owner: "other")
    #expect(try bench.secrets(store, owner: "other") == ["other"])
  }

  @Test func `after a rotation a damaged row stays damaged without the old key`() throws {
    try bench.commit(program(old), "kept")
    try bench.commit(program(old), "lost", owner: "other")
    try bench.run("UPDATE record SET body = x'00' WHERE key = (SELECT max(key) FROM record)")
    #expect(try program(old).rotateKey(to: new, within: .none))
    let found = try ["home", "other"].map { try bench.snapshot(program(new), owner: $0) }
    #expect(found.map(\.records.count).sorted() == [0, 1])
    #expect(found.filter { if case .damaged = $0.condition { true } else { false } }.count == 1)
  }

  @Test func `a rotation without the old key changes nothing`() throws {
    try bench.commit(program(), "kept")
    let file = try #require(try keyFiles().first)
    let path = "\(keys.path)/keys/\(file)"
    try FileManager.default.moveItem(atPath: path, toPath: keys.path + "/away")
    let seal = try bench.value("SELECT hex(proof) FROM seal")
    expect(.keyUnavailable) { _ = try program().rotateKey(to: nil, within: .none) }
    #expect(try keyFiles().isEmpty)
    #expect(try bench.value("SELECT hex(proof) FROM seal") == seal)
    try FileManager.default.moveItem(atPath: keys.path + "/away", toPath: path)
    #expect(try bench.secrets(program()) == ["kept"])
  }

  @Test func `a new key with weaker protection is rejected`() throws {
    try bench.commit(program(old), "kept")
    let sealName = try #require(try bench.value("SELECT name FROM seal"))
    let keyProvider = KeyProvider(
      ApplicationConfiguration(clientID: "client"),
      storages: [KeyFile(directory: keys.path + "/keys", storeDirectory: nil)],
      time: SystemTime(), randomness: SystemRandomness())
    expect(.encryptionUnavailable) {
      _ = try keyProvider.replaceKey(
        at: KeyLocation(source: .secretService, name: sealName), with: nil, within: .none)
    }
    #expect(!FileManager.default.fileExists(atPath: keys.path + "/keys"))
    // An application without the key changes nothing either.
    expect(.keyUnavailable) { _ = try program().rotateKey(to: nil, within: .none) }
    #expect(try bench.secrets(program(old)) == ["kept"])
  }

  @Test func `an application rotates its own key, and only the new key decrypts the store`() throws
  {
    let store = program(old)
    try bench.commit(store, "kept")
    expect(.missingParameter) { _ = try store.rotateKey(to: nil, within: .none) }
    expect(.invalidMember) { _ = try store.rotateKey(to: old, within: .none) }
    #expect(try store.rotateKey(to: new, within: .none))
    #expect(try bench.secrets(store) == ["kept"])
    #expect(try bench.secrets(program(new)) == ["kept"])
    expect(.cacheUndecryptable) { _ = try bench.secrets(program(old)) }
  }

  @Test func `the log names the key that is no longer needed`() throws {
    let lines = SpinLock<[String]>([])
    let store = bench.store(log: TesseraLog { _, line in lines.withLock { $0.append(line) } })
    try bench.commit(store, "kept")
    let name = try #require(try bench.value("SELECT name FROM seal"))
    #expect(try store.rotateKey(to: nil, within: .none))
    #expect(lines.withLock { $0.contains { $0.contains(name) } })
  }

  @Test func `rotateKey does not create a missing store`() throws {
    #expect(try !program().rotateKey(to: nil, within: .none))
    #expect(try bench.files().isEmpty)
    #expect(try !MemoryStore(time: SystemTime()).rotateKey(to: nil, within: .none))
  }

  @Test func `an application with its own key rejects a store encrypted with another key`() throws {
    try bench.commit(program(), "planted")
    for store in [program(old), program(old, policy: .requireEncrypted)] {
      expect(.encryptionUnavailable) { _ = try bench.secrets(store) }
      expect(.encryptionUnavailable) { try bench.commit(store, "mine", owner: "me") }
      expect(.encryptionUnavailable) { _ = try store.rotateKey(to: new, within: .none) }
      #expect(store.info(.preferEncrypted, within: .none).problem?.code == .encryptionUnavailable)
    }
    #expect(try bench.value("SELECT count(*) FROM seal") == "1")
    // An application that lists the source migrates the store.
    let heir = program(old, sources: [.keyFile])
    #expect(try bench.secrets(heir) == ["planted"])
    #expect(try heir.rotateKey(to: nil, within: .none))
    #expect(try bench.secrets(program(old)) == ["planted"])
    expect(.keyUnavailable) { _ = try bench.secrets(program()) }
  }

  @Test func `an application with its own key rejects an unencrypted store`() throws {
    try bench.commit(bench.store(PlaintextProtection()), "planted")
    expect(.encryptionUnavailable) { _ = try bench.secrets(program(old)) }
    expect(.encryptionUnavailable) { try bench.commit(program(old), "mine", owner: "me") }
    #expect(try bench.value("SELECT count(*) FROM seal") == "0")
    #expect(try bench.secrets(program(old, policy: .allowPlaintext)) == ["planted"])
    try bench.commit(program(old, sources: [.keyFile]), "mine", owner: "me")
    #expect(try bench.secrets(program(old)) == ["planted"])
  }
}
