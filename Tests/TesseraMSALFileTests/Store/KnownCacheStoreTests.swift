// SPDX-License-Identifier: MIT
// A store in a known cache that its owner may keep in a keyring: no plain file is written next to an item.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct KnownCacheStoreTests {
  private let bench: MSALFileBench
  private var home: String { bench.directory.path }
  private var sign: String { home + "/.IdentityService/msal.cache.nocae" }

  init() throws {
    bench = try MSALFileBench()
  }

  /// Creates a store in a session without a keyring.
  private func store(
    _ cache: KnownCache, time: VirtualClock = VirtualClock()
  ) -> MSALFileStore {
    let items = KeyringItems(SecretService(address: nil), time: time)
    let home = home
    let finder = MSALFileFinder(
      .known(cache), items, time: time,
      folders: { () throws(TesseraError) in
        try CacheDirectories { $0 == "HOME" ? home : nil }
      })
    return MSALFileStore(finder, time: time)
  }

  private func write(_ content: String, _ path: String, age: TimeInterval = 0) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [
        .posixPermissions: 0o600, .modificationDate: Date(timeIntervalSinceNow: -age),
      ], ofItemAtPath: path)
  }

  /// Expects all operations of a store to fail without changing the file.
  private func expectRefusals(_ store: MSALFileStore, _ path: String, _ content: String) throws {
    for error in bench.failures(store) {
      #expect(error?.remedy == .fixStorage && error?.code == .keyUnavailable)
      #expect(error?.message.contains("the Secret Service: there is no session bus") == true)
      #expect(error?.message.contains("delete the file") == true)
    }
    #expect(store.info(.allowPlaintext, within: .none).state == .locked)
    #expect(try bench.text(at: path) == content)
    let folder = (path as NSString).deletingLastPathComponent
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
        $0.hasPrefix("msal.cache.nocae") && !$0.contains(".damaged") || $0.hasPrefix("msal_token")
      })
  }

  @Test(arguments: [KnownCache.azureIdentity, .azurePowerShell], ["", "\u{1}"])
  func `a signal file without contents is neither damaged nor written`(
    _ cache: KnownCache, _ content: String
  ) throws {
    let folder = cache == .azureIdentity ? home : home + "/.local/share"
    let path = folder + "/.IdentityService/msal.cache.nocae"
    try write(content, path)
    try expectRefusals(store(cache), path, content)
  }

  @Test func `an owner that moves to the keyring at run time is noticed`() throws {
    try write("{}", sign)
    let store = store(.azureIdentity)
    try bench.commit("secret", to: store)
    #expect(try bench.secrets(store) == ["secret"])
    try write("", sign)
    try expectRefusals(store, sign, "")
  }

  @Test func `a plain file that its owner has truncated to write it is waited for`() throws {
    try write("{}", sign)
    let clock = VirtualClock()
    let store = store(.azureIdentity, time: clock)
    try bench.commit("secret", to: store)
    let whole = try bench.text(at: sign)
    let peer = try Peer(holding: Peer.existence, sign + ".lockfile")
    defer { peer.leave() }
    try write("", sign)
    let short = CallLimits(timeoutMilliseconds: 2500, time: clock)
    let error = bench.error { () throws(TesseraError) in
      _ = try store.snapshot(bench.ownerSelection, within: short)
    }
    #expect(error?.code == .storeBusy && error?.holderProcessID == Int64(peer.number))
    clock.schedule(after: .seconds(3)) { [sign] in
      try? Data(whole.utf8).write(to: URL(fileURLWithPath: sign))
    }
    #expect(try bench.secrets(store) == ["secret"])
  }

  @Test func `the most recently written file of the Azure CLI is used`() throws {
    let file = home + "/.azure/msal_token_cache.json"
    try write("{}", file, age: 100)
    let store = store(.azureCLI)
    #expect(try bench.secrets(store).isEmpty)
    try write("", home + "/.azure/msal_token_cache.bin", age: 50)
    try expectRefusals(store, file, "{}")
    try write("{}", file)
    try bench.commit("secret", to: store)
    #expect(try bench.secrets(store) == ["secret"])
  }

  @Test func `without a keyring the plain file is created`() throws {
    let store = store(.azureIdentity)
    #expect(try store.snapshot(bench.ownerSelection, within: .none).condition == .missing)
    try bench.commit("secret", to: store)
    #expect(try bench.secrets(store) == ["secret"])
    #expect(try bench.text(at: sign).contains("secret"))
  }
}
