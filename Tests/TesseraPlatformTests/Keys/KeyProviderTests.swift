// SPDX-License-Identifier: MIT
// The key source for a new store, and the result for an old store with an unavailable source.

import CLibrary
import Synchronization
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

@Suite struct KeyProviderTests {
  private let directory: TemporaryDirectory
  private let clock = VirtualClock()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func keyProvider(
    _ policy: StoragePolicy = .preferEncrypted, _ sources: [KeySource] = [.keyFile],
    key: StoreKey? = nil, keys: String? = nil
  ) -> KeyProvider {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .sqlite(policy: policy, keySources: sources, key: key)
    let files = KeyFile(directory: keys ?? directory.path + "/keys", storeDirectory: nil)
    return KeyProvider(
      configuration, storages: [files], time: clock, randomness: SystemRandomness())
  }

  private func exists(_ name: String) -> Bool {
    access(directory.path + name, F_OK) == 0
  }

  private func bytes(_ key: KeyMaterial?) -> [UInt8]? {
    key?.withBytes { Array($0) }
  }

  @Test func `another process finds the key at its recorded location`() throws {
    let made = try #require(try keyProvider().createKey(within: .none).key)
    #expect(made.location.source == .keyFile)
    let found = try keyProvider().key(at: made.location, within: .none)
    #expect(bytes(found) == bytes(made.material))
    #expect(bytes(found)?.count == 32)
  }

  @Test func `two stores never share a key`() throws {
    let first = try #require(try keyProvider().createKey(within: .none).key)
    let second = try #require(try keyProvider().createKey(within: .none).key)
    #expect(first.location != second.location)
    #expect(bytes(first.material) != bytes(second.material))
  }

  @Test func `require_encrypted does not create a key file`() throws {
    expect(.encryptionUnavailable) {
      _ = try keyProvider(.requireEncrypted).createKey(within: .none)
    }
    #expect(!exists("/keys"))
    let location = KeyLocation(source: .keyFile, name: "a")
    expect(.encryptionUnavailable) { try keyProvider(.requireEncrypted).check(location) }
    try keyProvider().check(location)
  }

  @Test func `only allow_plaintext permits a store without a key`() throws {
    expect(.encryptionUnavailable) { try keyProvider(.requireEncrypted).check(nil) }
    expect(.encryptionUnavailable) { try keyProvider(.preferEncrypted).check(nil) }
    try keyProvider(.allowPlaintext).check(nil)
    // An unencrypted store can be read until the next commit encrypts it, but not with `requireEncrypted`.
    expect(.encryptionUnavailable) { try keyProvider(.requireEncrypted).checkUnencryptedAllowed() }
    try keyProvider(.preferEncrypted).checkUnencryptedAllowed()
    expect(.encryptionUnavailable) {
      _ = try keyProvider(.preferEncrypted, []).createKey(within: .none)
    }
    #expect(try keyProvider(.allowPlaintext, []).createKey(within: .none).key == nil)
  }

  @Test func `a failed source is listed in the attempts`() throws {
    let made = try keyProvider(.preferEncrypted, [.kernelKeyring, .keyFile]).createKey(
      within: .none)
    #expect(made.key?.location.source == .keyFile)
    #expect(made.attempts.map(\.source) == [.kernelKeyring])
  }

  @Test func `a key of the application is the only one used, and a wrong key is detected`() throws {
    let key = [UInt8](repeating: 7, count: 32)
    let made = try #require(
      try keyProvider(.requireEncrypted, [.keyFile], key: StoreKey(key)).createKey(within: .none)
        .key)
    #expect(made.location.source == .caller)
    #expect(bytes(made.material) == key)
    let same = try keyProvider(key: StoreKey(key)).key(at: made.location, within: .none)
    #expect(bytes(same) == key)
    let other = StoreKey([UInt8](repeating: 8, count: 32))
    expect(.cacheUndecryptable) {
      _ = try keyProvider(key: other).key(at: made.location, within: .none)
    }
    expect(.keyUnavailable) { _ = try keyProvider().key(at: made.location, within: .none) }
    #expect(!made.location.name.contains("0707"))
  }

  @Test func `an application that met a wrong key continues after the right one is restored`()
    throws
  {
    let bench = try StoreBench()
    try bench.commit(bench.store(keyProvider()), "kept")
    let keys = URL(fileURLWithPath: directory.path + "/keys")
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: keys.path).first)
    let file = keys.appendingPathComponent(name)
    let right = try Data(contentsOf: file)
    try Data(repeating: 7, count: right.count).write(to: file)
    let store = bench.store(keyProvider())
    expect(.cacheUndecryptable) { _ = try bench.secrets(store) }
    try right.write(to: file)
    #expect(try bench.secrets(store) == ["kept"])
  }

  @Test func `the key callback is called until it returns a key, and not again`() throws {
    struct NotNow: Error {}
    let calls = Mutex(0)
    let key = StoreKey(from: {
      let call = calls.withLock { count in
        count += 1
        return count
      }
      if call == 1 { throw NotNow() }
      return [UInt8](repeating: 7, count: 32)
    })
    let keyProvider = keyProvider(key: key)
    expect(.keyUnavailable) { _ = try keyProvider.createKey(within: .none) }
    let made = try #require(try keyProvider.createKey(within: .none).key)
    _ = try keyProvider.key(at: made.location, within: .none)
    _ = try keyProvider.key(at: made.location, within: .none)
    #expect(calls.withLock { $0 } == 2)
  }

  @Test func `a store with an unavailable source is an error and gets no new key`() throws {
    let made = try #require(try keyProvider().createKey(within: .none).key)
    let elsewhere = keyProvider(keys: directory.path + "/other")
    expect(.keyUnavailable) { _ = try elsewhere.key(at: made.location, within: .none) }
    #expect(!exists("/other"))
  }

  @Test func `a failed commit leaves no second key`() throws {
    let keyProvider = keyProvider()
    let first = try #require(try keyProvider.createKey(within: .none).key)
    let second = try #require(try keyProvider.createKey(within: .none).key)
    #expect(first.location == second.location)
    // A deleted key must not be used for a new store.
    unlink("\(directory.path)/keys/\(first.location.name).key")
    let third = try #require(try keyProvider.createKey(within: .none).key)
    #expect(third.location != first.location)
  }

  @Test func `a policy that cannot be satisfied fails before any file is created`() throws {
    expect(.encryptionUnavailable) { try keyProvider(.requireEncrypted).prepare(within: .none) }
    try keyProvider(.preferEncrypted).prepare(within: .none)
    #expect(!exists("/keys"))
  }

  @Test func `a key callback that fails is reported before any file is created`() throws {
    struct NotNow: Error {}
    let key = StoreKey(from: { throw NotNow() })
    expect(.keyUnavailable) {
      try keyProvider(.requireEncrypted, key: key).prepare(within: .none)
    }
  }

  @Test func `a key file is read after the deadline, so that a cached token is returned`() throws {
    let made = try #require(try keyProvider().createKey(within: .none).key)
    let late = CallLimits(timeoutMilliseconds: 0, time: clock)
    #expect(bytes(try keyProvider().key(at: made.location, within: late)) == bytes(made.material))
  }

  @Test func `a deadline or a cancellation ends the call without trying weaker sources`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let cancelled = CallLimits(cancellation: cancellation, time: clock)
    expect(.cancelled) {
      _ = try keyProvider(.allowPlaintext).createKey(within: cancelled)
    }
    let late = CallLimits(timeoutMilliseconds: 0, time: clock)
    expect(.deadlineExceeded) { _ = try keyProvider(.allowPlaintext).createKey(within: late) }
  }
}
