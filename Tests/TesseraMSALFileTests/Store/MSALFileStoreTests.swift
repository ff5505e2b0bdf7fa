// SPDX-License-Identifier: MIT
// The store in a cache file of other libraries: creation, preservation, rejection and change detection.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct MSALFileStoreTests {
  private let bench: MSALFileBench
  private var path: String { bench.path }

  init() throws {
    bench = try MSALFileBench()
  }

  @Test(arguments: StoreRule.all.indices)
  func `the store fulfills the contract`(_ index: Int) throws {
    let rule = StoreRule.all[index]
    do {
      try rule.verify(time: SystemTime()) { [bench] in bench.store(time: SystemTime()) }
    } catch {
      Issue.record("\(rule.name): \(error)")
    }
  }

  @Test func `reading a missing file creates nothing`() throws {
    let store = bench.store()
    #expect(try store.snapshot(bench.ownerSelection, within: .none).condition == .missing)
    #expect(store.info(.preferEncrypted, within: .none).state == .missing)
    try store.commit(CacheChange([.removeEverything]), within: .none)
    #expect(try bench.files().isEmpty)
  }

  @Test func `a new file is private, and no other file is left next to it`() throws {
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

  @Test func `unknown members are preserved, and a commit without changes writes nothing`() throws {
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

  @Test func `a size limit evicts access tokens and is part of info`() throws {
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
  func `damage is reported, and quarantined by the next sign-in`(_ content: String) throws {
    try bench.write(content)
    let store = bench.store()
    let error = bench.error { () throws(TesseraError) in
      _ = try store.snapshot(bench.ownerSelection, within: .none)
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
    // The account may have been in the quarantined file.
    let otherOwner = try store.snapshot(bench.ownerSelection("stranger"), within: .none)
    guard case .damaged = otherOwner.condition else {
      Issue.record("the damage is forgotten")
      return
    }
    #expect(try store.deleteQuarantined(within: .none))
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `an empty commit does not quarantine a damaged file`() throws {
    try bench.write("{")
    let error = bench.error { () throws(TesseraError) in
      try bench.store().commit(CacheChange(), within: .none)
    }
    #expect(error?.code == .cacheDamaged)
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `a file that is being written is read once it is complete`() throws {
    try bench.commit("whole", to: bench.store())
    let whole = try bench.text()
    let clock = VirtualClock()
    // In place, as other libraries write: first it is empty, then half of it is written.
    try bench.write("")
    clock.schedule(after: .seconds(1)) { [bench] in try? bench.write(String(whole.prefix(60))) }
    clock.schedule(after: .seconds(2)) { [bench] in try? bench.write(whole) }
    #expect(try bench.secrets(bench.store(time: clock)) == ["whole"])
  }

  @Test func `a write of another library is noticed, even with the same size`() throws {
    let store = bench.store()
    try bench.commit("secret-1", to: store)
    let version = try #require(try store.snapshot(bench.ownerSelection, within: .none).version)
    #expect(store.isCurrent(version))
    try bench.write(try bench.text().replacingOccurrences(of: "secret-1", with: "secret-2"))
    #expect(!store.isCurrent(version))
    #expect(try bench.secrets(store) == ["secret-2"])
  }

  @Test func `a symbolic link is followed and preserved`() throws {
    let target = bench.directory.path + "/elsewhere.json"
    try Data("{}".utf8).write(to: URL(fileURLWithPath: target))
    chmod(target, 0o600)
    symlink(target, path)
    try bench.commit("secret", to: bench.store())
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains("secret"))
  }

  @Test func `a file with a hard link, or writable by others, is rejected`() throws {
    try bench.write("{}")
    chmod(path, 0o622)
    #expect(
      bench.error { () throws(TesseraError) in
        _ = try bench.store().snapshot(bench.ownerSelection, within: .none)
      }?.code == .storeUnsafe)
    chmod(path, 0o644)
    link(path, path + ".other")
    #expect(
      bench.error { () throws(TesseraError) in
        try bench.commit("secret", to: bench.store())
      }?.code == .storeUnsafe)
    #expect(try bench.text() == "{}")
  }

  @Test func `an unencrypted file is rejected with require_encrypted`() throws {
    try bench.write("{}")
    let store = bench.store(policy: .requireEncrypted)
    #expect(
      bench.error { () throws(TesseraError) in
        try bench.commit("secret", to: store)
      }?.code == .encryptionUnavailable)
    #expect(store.info(.requireEncrypted, within: .none).problem?.code == .encryptionUnavailable)
    #expect(try bench.text() == "{}")
  }

  @Test func `temporary files of killed writers are deleted by the next write`() throws {
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

  @Test func `a temporary file of a writer in another container is kept`() throws {
    let process = try Peer(["true"])
    process.wait()
    // The writer is alive, and has another process ID in its container.
    let file = "\(path).tessera-\(process.number)-1-7"
    let writer = open(file, O_RDWR | O_CREAT, 0o600)
    #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
    try bench.commit("secret", to: bench.store())
    #expect(access(file, F_OK) == 0)
    close(writer)
    try bench.commit("other", to: bench.store())
    #expect(access(file, F_OK) != 0)
  }

  @Test func `the temporary file of a writer is locked`() throws {
    let file = try TemporaryFile(for: path)
    defer { file.end() }
    #expect(try !Peer.canEnter(Peer.flock, file.path))
  }

  @Test func `a file that changed without the lock is not overwritten`() throws {
    try bench.write("{}")
    let file = CacheFile(path)
    func seen() throws -> DocumentState {
      let stamp = try #require(CacheStamp(at: path))
      return DocumentState(bytes: Array(try bench.text().utf8), stamp: stamp, isSettled: true)
    }
    let before = try seen()
    try bench.write(#"{"Account":{}}"#)
    let now = try seen()
    try bench.lock().holding(within: .none) { lock throws(TesseraError) in
      #expect(
        try file.write(Array("{}".utf8), replacing: before, under: lock, within: .none) == nil)
      unlink(file.lockPath)
      #expect(try file.write(Array("{}".utf8), replacing: now, under: lock, within: .none) == nil)
    }
    #expect(try bench.text() == #"{"Account":{}}"#)
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `commits and writes of a library that locks by existence lose nothing`()
    throws
  {
    try bench.write("{}")
    let count = 60
    let peer = Thread { [bench] in
      for number in 0..<count { bench.addAsPeer("theirs\(number)") }
    }
    peer.start()
    let store = bench.store(time: SystemTime())
    for number in 0..<count { try bench.commit("ours", for: "s\(number)", to: store) }
    while !peer.isFinished { usleep(1000) }
    let text = try bench.text()
    for number in 0..<count {
      #expect(text.contains("\"theirs\(number)\"") && text.contains("\"s\(number)\""))
    }
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `checkWritable creates no file`() throws {
    try bench.store().checkWritable(within: .none)
    #expect(try bench.files().isEmpty)
  }

  @Test func `info reports the path, the sharing and the contents`() throws {
    let store = bench.store()
    try bench.commit("secret", to: store)
    let info = store.info(.preferEncrypted, within: .none)
    #expect(info.state == .usable && info.protection == .plaintext && info.isSharedWithPeers)
    #expect(info.path == path && info.records?.refreshTokens == 1)
    #expect(info.fileBytes == info.bytes)
  }
}
