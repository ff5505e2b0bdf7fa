// SPDX-License-Identifier: MIT
// Begun sign-ins of a store whose cache other libraries overwrite.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct SharedSignInTests {
  private let bench: MSALFileBench
  private let machine: LocalMachine
  private var own: String { bench.path + ".tessera-sign-ins" }

  init() throws {
    let bench = try MSALFileBench()
    self.bench = bench
    let clock = VirtualClock()
    machine = LocalMachine(
      origin: "http://127.0.0.1:8400", clock: clock, store: bench.store(time: clock))
  }

  /// An application as another process opens it.
  private func application() throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    var dependencies = machine.dependencies
    dependencies.store = bench.store(time: machine.clock)
    return try PublicClientApplication(configuration, in: dependencies)
  }

  private func begin() throws -> RedirectResponse {
    let begun = try application().beginSignIn(SignInRequest(scopes: ["read"]))
    let answer = try #require(machine.browser.visit(begun.url))
    return RedirectResponse(state: begun.state, response: answer)
  }

  private func complete(_ completion: RedirectResponse) throws -> TesseraError? {
    let application = try application()
    return bench.error { () throws(TesseraError) in
      _ = try application.completeSignIn(completion)
    }
  }

  private func commit(
    _ changes: SignInRecord.Change..., to store: MSALFileStore? = nil
  ) throws {
    let change = CacheChange(changes.map { .signIns($0) })
    try (store ?? bench.store()).commit(change, within: .none)
  }

  private func record(_ store: MSALFileStore? = nil) throws -> SignInRecord? {
    var selection = SnapshotSelection()
    selection.keys = [SignInRecord.key]
    return try (store ?? bench.store()).snapshot(selection, within: .none).signIn
  }

  private func key(_ byte: UInt8) -> SignInRecord {
    SignInRecord(key: [UInt8](repeating: byte, count: SignInRecord.keyByteCount))
  }

  @Test func `a sign-in is completed after another library has overwritten the file`() throws {
    let first = try begin()
    try bench.write("{}")
    let second = try begin()
    #expect(try complete(first) == nil)
    try bench.write("{}")
    #expect(try complete(second) == nil)
    for completion in [first, second] {
      try bench.write("{}")
      #expect(try complete(completion)?.code == .signInUsed)
    }
    #expect(machine.provider.counts.tokenRequests["authorization_code"] == 2)
  }

  @Test func `a sign-in is completed while the shared file is damaged`() throws {
    let completion = try begin()
    try bench.write("{")
    #expect(try complete(completion) == nil)
  }

  @Test func `the shared file has no key`() throws {
    _ = try complete(begin())
    #expect(try !bench.text().contains("sign_in_key"))
    #expect(try bench.text(at: own).contains("sign_in_key"))
  }

  @Test func `the key is private under any umask`() throws {
    try UserMask.cleared { try commit(.add(key(1))) }
    var status = stat()
    #expect(stat(own, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try bench.files() == ["cache.json.tessera-sign-ins"])
  }

  @Test(arguments: ["", "{", "[]", #"{"sign_in_key":"c2hvcnQ"}"#])
  func `a lost key ends in a new sign-in`(_ damage: String) throws {
    let completion = try begin()
    try Data(damage.utf8).write(to: URL(fileURLWithPath: own))
    let error = try complete(completion)
    #expect(error?.code == .signInLost && error?.remedy == .signIn)
    try commit(.add(key(1)))
    #expect(try complete(completion)?.code == .signInLost)
    #expect(try complete(begin()) == nil)
    try FileManager.default.removeItem(atPath: own)
    #expect(try complete(completion)?.code == .signInLost)
  }

  @Test func `a key that others could write is refused`() throws {
    let completion = try begin()
    #expect(chmod(own, 0o666) == 0)
    #expect(try complete(completion)?.code == .storeUnsafe)
  }

  @Test func `the key of an earlier version stays in use`() throws {
    var cache = UnifiedCache()
    cache.put(.signIn(key(7)))
    try bench.write(String(decoding: cache.bytes(), as: UTF8.self))
    #expect(try record()?.sealingKey == key(7).sealingKey)
    let completion = try begin()
    try bench.write("{}")
    #expect(try record() == key(7))
    #expect(try complete(completion) == nil)
  }

  @Test func `a sign-in that an earlier version began is completed once`() throws {
    let completion = try begin()
    let record = try #require(try record())
    try FileManager.default.removeItem(atPath: own)
    var cache = UnifiedCache()
    cache.put(.signIn(record))
    try bench.write(String(decoding: cache.bytes(), as: UTF8.self))
    #expect(try complete(completion) == nil)
    #expect(try complete(completion)?.code == .signInUsed)
  }

  @Test func `of many programs that create a key one wins`() async throws {
    let found = await withTaskGroup(of: SignInRecord?.self) { group in
      for number in 1...8 {
        group.addTask { [self] in
          let store = bench.store(time: SystemTime())
          try? commit(.add(key(UInt8(number))), to: store)
          return try? record(store)
        }
      }
      return await group.reduce(into: Set<SignInRecord?>()) { $0.insert($1) }
    }
    #expect(found.count == 1 && found.first != .some(nil))
    #expect(try record() == found.first)
  }

  @Test func `marks of two programs at once are both kept`() async throws {
    try commit(.add(key(1)))
    let now = machine.clock.now
    await withTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask { [self] in
          try? commit(
            .use(id: "\(number)", until: now.adding(seconds: 60), at: now),
            to: bench.store(time: SystemTime()))
        }
      }
    }
    let used = try #require(try record())
    #expect((1...8).allSatisfy { used.isCompleted("\($0)") })
  }

  @Test func `what a killed writer left is removed, and the record is kept`() throws {
    try commit(.add(key(1)))
    let left = bench.path + ".tessera-4194303-1-1"
    try Data("{".utf8).write(to: URL(fileURLWithPath: left))
    try bench.commit("secret", to: bench.store())
    #expect(try bench.files() == ["cache.json", "cache.json.tessera-sign-ins"])
    #expect(try record() == key(1))
  }

  @Test func `removing everything removes the key`() throws {
    try commit(.add(key(1)))
    try bench.store().commit(CacheChange([.removeEverything]), within: .none)
    #expect(try record() == nil)
    #expect(try bench.files().isEmpty)
  }

  @Test func `of a cache in the keyring the key is in an item of its own`() throws {
    let bench = try KeyringBench()
    let (item, signal) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity)
    try commit(.add(key(1)), to: store)
    try bench.commit("secret", to: store)
    bench.keyring.put("{}", item)
    #expect(try record(bench.store(.azureIdentity)) == key(1))
    let now = Instant(secondsSince1970: 1)
    try commit(.use(id: "x", until: now.adding(seconds: 60), at: now), to: store)
    try commit(.add(key(2)), to: bench.store(.azureIdentity))
    let kept = try #require(try record(store))
    #expect(kept.sealingKey == key(1).sealingKey && kept.isCompleted("x"))
    #expect(try bench.files(beside: signal) == [(signal as NSString).lastPathComponent])
    try store.commit(CacheChange([.removeEverything]), within: .none)
    #expect(try record(store) == nil)
  }
}
