// SPDX-License-Identifier: MIT
// The store that is the cache file of other libraries: what it makes, keeps, refuses and notices.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct MSALFileStoreTests {
  private let bench: MSALFileBench
  private var path: String { bench.path }

  init() throws {
    bench = try MSALFileBench()
  }

  @Test(arguments: StoreRule.all.indices)
  func `it keeps the contract`(_ index: Int) throws {
    let rule = StoreRule.all[index]
    do {
      try rule.verify(time: SystemTime()) { [bench] in bench.store(time: SystemTime()) }
    } catch {
      Issue.record("\(rule.name): \(error)")
    }
  }

  @Test func `reading a file that is not there makes nothing`() throws {
    let store = bench.store()
    #expect(try store.snapshot(bench.person, within: .none).condition == .missing)
    #expect(store.info(.preferEncrypted, within: .none).state == .missing)
    try store.commit(CacheChange([.removeEverything]), within: .none)
    #expect(try bench.files().isEmpty)
  }

  @Test func `a file of its own is private, and nothing is left beside it`() throws {
    try UserMask.cleared {
      try bench.commit("secret", to: bench.store(at: bench.directory.path + "/a/b/cache.json"))
    }
    var status = stat()
    #expect(stat(bench.directory.path + "/a/b/cache.json", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(stat(bench.directory.path + "/a", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bench.directory.path + "/a/b") == [
        "cache.json"
      ])
  }

  @Test func `what others wrote stays, and what changes nothing is not written`() throws {
    let start = #"{"Future":{"x":[1.50,null]},"RefreshToken":{"odd key":{"secret":"theirs"}}}"#
    try bench.write(start)
    let store = bench.store()
    try bench.commit("ours", to: store)
    let text = try bench.text()
    #expect(text.contains(#""Future":{"x":[1.50,null]}"#))
    #expect(text.contains(#""odd key":{"secret":"theirs"}"#))
    let before = CacheStamp(at: path)
    try bench.commit("ours", to: bench.store())
    #expect(CacheStamp(at: path) == before)
  }

  @Test func `a limit makes room among the access tokens, and is shown`() throws {
    let store = bench.store(limitBytes: 3_000)
    try bench.commit("refresh", to: store)
    for number in 1...9 {
      var token = CredentialRecord(type: .accessToken, secret: Secret("access\(number)"))
      token.homeAccountID = "home"
      token.environment = "e"
      token.clientID = "c"
      token.realm = "r"
      token.target = "s\(number)" + String(repeating: "x", count: 400)
      token.expiresAt = Instant(secondsSince1970: Int64(number))
      try store.commit(CacheChange([.put(.credential(token))]), within: .none)
    }
    let secrets = try bench.secrets(bench.store())
    #expect(secrets.isSuperset(of: ["refresh", "access9"]) && !secrets.contains("access1"))
    #expect(try bench.text().utf8.count <= 3_000)
    #expect(store.info(.preferEncrypted, within: .none).limitBytes == 3_000)
  }

  @Test(arguments: ["", "{\"AccessToken\": {\"a\": {\"sec", " \n", "\u{FEFF}{}", "[]"])
  func `damage is reported, and set aside by the next sign-in`(_ content: String) throws {
    try bench.write(content)
    let store = bench.store()
    let error = bench.error { () throws(TesseraError) in
      _ = try store.snapshot(bench.person, within: .none)
    }
    #expect(error?.code == .cacheDamaged && error?.remedy == .signIn)
    #expect(store.info(.preferEncrypted, within: .none).state == .damaged)
    #expect(try bench.text() == content)
    try bench.commit("new", to: store)
    #expect(try bench.secrets(bench.store()) == ["new"])
    let copies = store.info(.preferEncrypted, within: .none).setAside
    let copy = try #require(copies.first)
    #expect(copies.count == 1)
    #expect(try bench.text(at: copy) == content)
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Somebody who is missed was perhaps in there.
    let stranger = try store.snapshot(bench.person("stranger"), within: .none)
    guard case .damaged = stranger.condition else {
      Issue.record("the damage is forgotten")
      return
    }
    #expect(try store.removeSetAside(within: .none))
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `a change that stores nothing is no reason to begin anew`() throws {
    try bench.write("{")
    let error = bench.error { () throws(TesseraError) in
      try bench.store().commit(CacheChange(), within: .none)
    }
    #expect(error?.code == .cacheDamaged)
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `a file that is being written is read when it is whole`() throws {
    try bench.commit("whole", to: bench.store())
    let whole = try bench.text()
    let clock = VirtualClock()
    // In place, as the others write: first it is empty, then there is a half of it.
    try bench.write("")
    clock.schedule(afterSeconds: 1) { [bench] in try? bench.write(String(whole.prefix(60))) }
    clock.schedule(afterSeconds: 2) { [bench] in try? bench.write(whole) }
    #expect(try bench.secrets(bench.store(time: clock)) == ["whole"])
  }

  @Test func `a write of another library is noticed, also one of the same length`() throws {
    let store = bench.store()
    try bench.commit("secret-1", to: store)
    let version = try #require(try store.snapshot(bench.person, within: .none).version)
    #expect(store.isCurrent(version))
    try bench.write(try bench.text().replacingOccurrences(of: "secret-1", with: "secret-2"))
    #expect(!store.isCurrent(version))
    #expect(try bench.secrets(store) == ["secret-2"])
  }

  @Test func `a link leads to the file, and stays`() throws {
    let target = bench.directory.path + "/elsewhere.json"
    try Data("{}".utf8).write(to: URL(fileURLWithPath: target))
    chmod(target, 0o600)
    symlink(target, path)
    try bench.commit("secret", to: bench.store())
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains("secret"))
  }

  @Test func `a file that others can write, or that has two names, is refused`() throws {
    try bench.write("{}")
    chmod(path, 0o622)
    #expect(
      bench.error { () throws(TesseraError) in
        _ = try bench.store().snapshot(bench.person, within: .none)
      }?.code == .storeUnsafe)
    chmod(path, 0o644)
    link(path, path + ".other")
    #expect(
      bench.error { () throws(TesseraError) in
        try bench.commit("secret", to: bench.store())
      }?.code == .storeUnsafe)
    #expect(try bench.text() == "{}")
  }

  @Test func `a file in clear is refused where it must be encrypted`() throws {
    try bench.write("{}")
    let store = bench.store(policy: .requireEncrypted)
    #expect(
      bench.error { () throws(TesseraError) in
        try bench.commit("secret", to: store)
      }?.code == .encryptionUnavailable)
    #expect(store.info(.requireEncrypted, within: .none).problem?.code == .encryptionUnavailable)
    #expect(try bench.text() == "{}")
  }

  @Test func `what killed writers left behind goes with the next write`() throws {
    let process = try Peer(["true"])
    process.wait()
    let dead = "\(path).tessera-\(process.number)-1-7"
    let mine = ProcessIdentity.current
    let living = "\(path).tessera-\(mine.number)-\(mine.start)-7"
    for file in [dead, living] { try Data("x".utf8).write(to: URL(fileURLWithPath: file)) }
    try bench.commit("secret", to: bench.store())
    #expect(access(dead, F_OK) != 0)
    #expect(access(living, F_OK) == 0)
  }

  @Test func `a file that somebody changed without the lock is not written over`() throws {
    try bench.write("{}")
    let file = CacheFile(path)
    let before = CacheStamp(at: path)
    let lock = try #require(try PeerLockFile(file.lockPath))
    defer { lock.end() }
    try bench.write(#"{"Account":{}}"#)
    #expect(try file.write(Array("{}".utf8), replacing: before, under: lock) == nil)
    #expect(try bench.text() == #"{"Account":{}}"#)
    lock.remove()
    #expect(
      try file.write(Array("{}".utf8), replacing: CacheStamp(at: path), under: lock) == nil)
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `proving makes no file`() throws {
    try bench.store().prove(within: .none)
    #expect(try bench.files().isEmpty)
  }

  @Test func `it says what it is`() throws {
    let store = bench.store()
    try bench.commit("secret", to: store)
    let info = store.info(.preferEncrypted, within: .none)
    #expect(info.state == .usable && info.protection == .plaintext && info.isSharedWithPeers)
    #expect(info.path == path && info.records?.refreshTokens == 1)
    #expect(info.fileBytes == info.bytes)
  }
}
