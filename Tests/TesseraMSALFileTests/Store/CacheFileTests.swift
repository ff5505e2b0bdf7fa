// SPDX-License-Identifier: MIT
// Reading of a cache file: its maximum size, its modification time, and files on another machine.

import Foundation
import Synchronization
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraCache
@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct CacheFileTests {
  private let bench: MSALFileBench
  private var path: String { bench.path }

  init() throws {
    bench = try MSALFileBench()
  }

  @Test(arguments: [off_t(UnifiedDocument.maximumByteCount) + 1, 1 << 42, .max])
  func `a file above the maximum size is rejected, but not as damaged`(_ size: off_t) throws {
    try bench.write("{}")
    // Some file systems do not support files of this size.
    guard truncate(path, size) == 0 else { return }
    let store = bench.store()
    for error in bench.failures(store) {
      #expect(error?.remedy == .fixStorage && error?.code == .storeUnavailable)
      #expect(error?.message.contains("\(size) bytes") == true)
    }
    #expect(CacheStamp(at: path)?.size == Int64(size))
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `the largest possible file size is rejected`() {
    let error = bench.error { () throws(TesseraError) in try CacheFile(path).checkLength(.max) }
    #expect(error?.message.contains("9223372036854775807 bytes") == true)
  }

  @Test func `a document above the maximum size is not written`() throws {
    let bytes = [UInt8](repeating: 0x20, count: UnifiedDocument.maximumByteCount + 1)
    let error = bench.error { () throws(TesseraError) in
      _ = try CacheFile(path).write(bytes, replacing: nil, under: bench.lock(), within: .none)
    }
    #expect(error?.code == .storeUnavailable)
    #expect(try bench.files().isEmpty)
  }

  @Test func `the new file is complete before the lock of all libraries is taken`() throws {
    let bytes = Array(#"{"Account":{}}"#.utf8)
    let complete = Atomic(0)
    let lock = bench.lock { [bench] in
      let names = (try? bench.files()) ?? []
      let texts = names.map { try? bench.text(at: "\(bench.directory.path)/\($0)") }
      if texts == [#"{"Account":{}}"#] { complete.add(1, ordering: .relaxed) }
    }
    #expect(try CacheFile(path).write(bytes, replacing: nil, under: lock, within: .none) != nil)
    #expect(complete.load(ordering: .relaxed) == 1)
    #expect(try bench.files() == ["cache.json"])
  }

  @Test func `a change while the lock is awaited is not overwritten`() throws {
    try bench.write("{}")
    let seen = DocumentState(
      bytes: Array("{}".utf8), stamp: try #require(CacheStamp(at: path)), isSettled: true)
    let lock = bench.lock { [bench] in try? bench.write(#"{"Account":{}}"#) }
    #expect(
      try CacheFile(path).write(Array("[]".utf8), replacing: seen, under: lock, within: .none)
        == nil)
    #expect(try bench.text().hasBytes(of: #"{"Account":{}}"#))
    #expect(try bench.files() == ["cache.json"])
  }

  @Test(arguments: [true, false])
  func `a change within one step of the clock is not overwritten`(_ isSettled: Bool) throws {
    try bench.write(#"{"b":1}"#)
    // The file had this stamp when it was read, with other content.
    let seen = DocumentState(
      bytes: Array(#"{"a":1}"#.utf8), stamp: try #require(CacheStamp(at: path)),
      isSettled: isSettled)
    let new = try CacheFile(path)
      .write(Array("{}".utf8), replacing: seen, under: bench.lock(), within: .none)
    #expect((new != nil) == isSettled)
    #expect(try bench.text().hasBytes(of: isSettled ? "{}" : #"{"b":1}"#))
  }

  @Test func `the modification time is set ahead, so that a concurrent reader reads again`() throws
  {
    // MSAL for Python records the time after it has read the file. Our write may come between.
    let begin = nanoseconds(of: CLOCK_REALTIME)
    try bench.commit("secret", to: bench.store())
    let stamp = try #require(CacheStamp(at: path))
    #expect(stamp.modified >= begin + 1_000_000_000)
    #expect(stamp.modified <= nanoseconds(of: CLOCK_REALTIME) + 2_000_000_000)
    #expect(stamp.isSettled(atWallClock: begin))
  }

  @Test(arguments: [false, true])
  func `a remote file is opened for each read, a local one is not`(_ isRemote: Bool) throws {
    let store = bench.store()
    try bench.commit("secret", to: store)
    let events = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(events) }
    #expect(inotify_add_watch(events, path, UInt32(IN_OPEN)) >= 0)
    guard case .valid = try store.read(CacheFile(path, isRemote: isRemote), .none) else {
      Issue.record("it is not there")
      return
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    #expect((read(events, &bytes, bytes.count) > 0) == isRemote)
  }
}
