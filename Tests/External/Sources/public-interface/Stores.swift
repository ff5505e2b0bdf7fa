// SPDX-License-Identifier: MIT
// Token stores on disk: keys, protection, damage, and the sources of keys.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Returns an application with a database in a folder of its own.
private func application(
  _ name: String, change: (inout StoreConfiguration.SQLiteOptions) -> Void
) throws -> PublicClientApplication {
  var options = StoreConfiguration.SQLiteOptions(directory: "\(folder)/\(name)")
  change(&options)
  var configuration = ApplicationConfiguration(clientID: "client")
  configuration.authority = "https://login.microsoftonline.com/utid"
  configuration.store = StoreConfiguration.sqlite(options)
  return try PublicClientApplication(configuration)
}

/// Returns the source of a token in the store.
private func source(_ application: PublicClientApplication) throws -> TokenSource {
  try application.silentToken(cachedAccount).source
}

/// Checks a database with a key file, and with the key of the application.
func checkStores() throws {
  let cache = unifiedCache(at: Int64(Date().timeIntervalSince1970))
  let keyFile = try application("key-file") { $0.keySources = [KeySource.keyFile] }
  expect(keyFile.storeInfo().state, StoreInfo.State.missing)
  try keyFile.writeCache(before: "", after: cache)
  let info: StoreInfo = keyFile.storeInfo()
  expect(info.state, StoreInfo.State.usable)
  expect(info.policy, StoragePolicy.preferEncrypted)
  expect(info.protection, StoreInfo.Protection.obfuscated)
  expect(info.keySource, KeySource.keyFile)
  expect(info.lockScope, StoreInfo.LockScope.machine)
  expect(info.path?.hasPrefix(folder), true)
  expect(info.isSharedWithPeers, false)
  expect(info.problem?.message, nil)
  let records: StoreInfo.Records = expectValue(info.records)
  expect(records.accounts, 1)
  expect(records.accessTokens, 1)
  expect(records.refreshTokens, 0)
  expect(records.damaged, 0)
  expect(try object(info.jsonDocument).string("state"), "usable")
  expect(try source(keyFile), .cache)
  expect(KeySource.keyFile.isProtected, false)
  expect(KeySource.usual, [.secretService, .keyFile])
  try keyFile.checkStoreIsWritable()
  expectStoreCases()
  try checkKeys(cache)
  try checkAttempts()
  try checkDamage(cache)
}

/// Checks the rotation of the application's own key, and a wrong key.
private func checkKeys(_ cache: String) throws {
  let first = [UInt8](repeating: 1, count: StoreKey.byteCount)
  let second = [UInt8](repeating: 2, count: StoreKey.byteCount)
  let key = StoreKey(first)
  expect("\(key)", "<redacted>")
  let own = try application("own-key") { $0.key = key }
  try own.writeCache(before: "", after: cache)
  expect(own.storeInfo().keySource, KeySource.caller)
  expect(own.storeInfo().protection, StoreInfo.Protection.encrypted)
  expect(try own.rotateStoreKey(to: StoreKey { second }))
  expect(try source(own), .cache)
  let outdated = try application("own-key") { $0.key = StoreKey(first) }
  let error = expectError(.cacheUndecryptable) { _ = try outdated.accounts() }
  expect(error.remedy, .fixStorage)
  expect(outdated.storeInfo().state, StoreInfo.State.undecryptable)
  expect(try source(application("own-key") { $0.key = StoreKey(second) }), .cache)
}

/// Checks the failed attempts of a store whose policy no key source satisfies.
private func checkAttempts() throws {
  let strict = try application("strict") { options in
    options.policy = StoragePolicy.requireEncrypted
    options.keySources = [.secretService, .keyFile]
  }
  let attempts: [KeyAttempt] = strict.storeInfo().attempts
  expect(attempts.map(\.source), [.secretService, .keyFile])
  expect(attempts.last?.problem, KeyAttempt.Problem.policy)
  expect(attempts.allSatisfy { !$0.reason.isEmpty })
  let error = expectError(.encryptionUnavailable) { try strict.checkStoreIsWritable() }
  expect(error.remedy, .fixStorage)
}

/// Checks that damage is reported, and quarantined by the next change.
private func checkDamage(_ cache: String) throws {
  let key = StoreKey([UInt8](repeating: 3, count: StoreKey.byteCount))
  let path: String
  do {
    let healthy = try application("damaged") { $0.key = key }
    try healthy.writeCache(before: "", after: cache)
    path = expectValue(healthy.storeInfo().path)
  }
  for name in [path + "-wal", path + "-shm"] { try? FileManager.default.removeItem(atPath: name) }
  try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: path))
  let damaged = try application("damaged") { $0.key = key }
  expectError(.cacheDamaged) { _ = try damaged.accounts() }
  expect(damaged.storeInfo().state, StoreInfo.State.damaged)
  try damaged.writeCache(before: "", after: cache)
  let info = damaged.storeInfo()
  expect(info.state, .usable)
  expect(info.setAside.count, 1)
}

/// Checks the names of the states, protections and problems.
private func expectStoreCases() {
  expectCases(of: StoreKind.self, ["sqlite", "msal_file", "memory", "host"])
  expectCases(
    of: StoragePolicy.self,
    ["require_encrypted", "prefer_encrypted", "allow_plaintext", "memory_only"])
  expectCases(
    of: StoreInfo.State.self,
    [
      "missing", "empty", "usable", "read_only", "damaged", "too_new", "locked", "undecryptable",
      "busy", "unavailable",
    ])
  expectCases(
    of: StoreInfo.Protection.self, ["encrypted", "obfuscated", "plaintext", "memory"])
  expectCases(of: StoreInfo.LockScope.self, ["process", "machine", "host"])
  expectCases(
    of: KeySource.self, ["caller", "secret_service", "kernel_keyring", "key_file"])
  expectCases(
    of: KeyAttempt.Problem.self,
    [
      "library_missing", "no_bus", "no_service", "no_collection", "locked", "timeout", "blocked",
      "full", "unsafe", "key_missing", "other_key", "policy", "failed",
    ])
}
