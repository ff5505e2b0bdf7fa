// SPDX-License-Identifier: MIT
// Reads that remove the lock file of a dead process of Tessera's, and leave every other one.

import Foundation
import TesseraCache
import TesseraEngine
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct PeerLockReclaimTests {
  private let bench: MSALFileBench
  private var path: String { bench.path + ".lockfile" }

  init() throws {
    bench = try MSALFileBench()
    try bench.commit("secret", to: bench.store())
  }

  /// The mark of a process of Tessera's that has ended.
  private static let dead: String = {
    let process = try? Peer(["true"])
    process?.wait()
    return "\(process?.number ?? 0) tessera-lock 1 \(ProcessIdentity.namespace)\n"
  }()

  /// The mark of a living process of Tessera's, which has lost its kernel locks.
  private func mark(of process: Peer) throws -> String {
    let stat = try String(contentsOfFile: "/proc/\(process.number)/stat", encoding: .utf8)
    let ticks = try #require(UInt64(stat.split(separator: " ")[21]))
    let start = ticks & (1 << ProcessIdentity.startBits - 1)
    return "\(process.number) tessera-lock \(start) \(ProcessIdentity.namespace)\n"
  }

  private func leave(_ content: String, mode: mode_t = 0o600) throws {
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
  }

  private var exists: Bool { access(path, F_OK) == 0 }

  /// Reads as a program that has just begun, and as one that has read before.
  private func read(_ store: MSALFileStore? = nil) throws {
    #expect(try bench.secrets(store ?? bench.store()) == ["secret"])
  }

  @Test func `a read removes the lock file of a dead process, and peers can write`() throws {
    try leave(Self.dead)
    #expect(try !Peer.canEnter(Peer.existence, path))
    let store = bench.store()
    try read(store)
    #expect(try Peer.canEnter(Peer.existence, path))
    // What is read from memory is looked at as well.
    try leave(Self.dead)
    try read(store)
    #expect(!exists)
    try leave(Self.dead)
    #expect(store.info(.preferEncrypted, within: .none).state == .usable)
    #expect(!exists)
  }

  @Test func `a read of a missing cache removes the lock file as well`() throws {
    unlink(bench.path)
    try leave(Self.dead)
    #expect(try bench.store().snapshot(bench.ownerSelection, within: .none).condition == .missing)
    #expect(try bench.files().isEmpty)
  }

  @Test func `a read removes the file of a process that died in another container, or unsigned`()
    throws
  {
    try leave("1 tessera-lock 1 4242\n")
    try read()
    #expect(!exists)
    try leave("", mode: 0o1600)
    try read()
    #expect(!exists)
  }

  @Test func `a cached response looks at no lock file`() throws {
    let store = bench.store()
    let version = try #require(try store.snapshot(bench.ownerSelection, within: .none).version)
    try leave(Self.dead)
    #expect(store.isCurrent(version))
    #expect(exists)
  }

  @Test func `a read does not remove the lock of a living process of Tessera's`() throws {
    try bench.lock().holding(within: .none) { _ in
      #expect(throws: Never.self) { try read() }
      #expect(exists)
    }
    #expect(!exists)
    // Its kernel locks are gone, because the host closed all descriptors.
    let process = try Peer(["cat"])
    defer { process.kill() }
    try leave(try mark(of: process))
    try read()
    #expect(exists)
    process.kill()
    try read()
    #expect(!exists)
  }

  @Test(arguments: [Peer.flock, Peer.record])
  func `a read does not remove a dead file that a peer has locked`(_ kind: String) throws {
    let peer = try Peer(holding: kind, path)
    defer { peer.kill() }
    // The peer has not written its own mark yet.
    try leave(Self.dead)
    try read()
    #expect(exists)
    let number = FileIdentity(at: path)
    try leave("", mode: 0o1600)
    try read()
    #expect(FileIdentity(at: path) == number)
  }

  @Test(arguments: ["1 python", "99999999 python", "{99999999} {az}", "", "nobody"])
  func `a read does not remove lock files of other libraries`(_ content: String) throws {
    try leave(content)
    var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, path, &times, 0)
    try read()
    #expect(try bench.text(at: path) == content)
  }

  @Test func `a read removes no directory, link or file with a second name`() throws {
    mkdir(path, 0o700)
    try read()
    #expect(exists)
    rmdir(path)
    let other = bench.directory.path + "/other"
    try Data(Self.dead.utf8).write(to: URL(fileURLWithPath: other))
    symlink(other, path)
    try read()
    #expect(exists)
    unlink(path)
    link(other, path)
    try read()
    #expect(exists)
  }

  @Test func `of two processes that reclaim at once one removes the file`() throws {
    try leave(Self.dead)
    let first = try #require(try PeerLockFile(existing: path))
    let second = try #require(try PeerLockFile(existing: path))
    #expect(try first.lock() == nil)
    second.reclaim()
    #expect(exists)
    first.reclaim()
    first.end()
    // A peer is next, before the other process goes on.
    let peer = try Peer(holding: Peer.existence, path)
    second.reclaim()
    second.end()
    #expect(exists)
    peer.leave()
    #expect(!exists)
  }

  @Test func `a file that has taken the place of the dead one stays`() throws {
    try leave(Self.dead)
    let file = try #require(try PeerLockFile(existing: path))
    defer { file.end() }
    unlink(path)
    try leave("1 python")
    file.reclaim()
    #expect(try bench.text(at: path) == "1 python")
  }

  @Test func `a dead file that a peer has taken over stays`() throws {
    try leave(Self.dead)
    let file = try #require(try PeerLockFile(existing: path))
    defer { file.end() }
    try leave("1 python")
    file.reclaim()
    #expect(try bench.text(at: path) == "1 python")
  }
}
