// SPDX-License-Identifier: MIT
// Reading of a cache file: its maximum size, its modification time, and files on another machine.

import Foundation
import TesseraEngine
import Testing

@testable import TesseraCache
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
    let lock = try #require(try PeerLockFile(path + ".lockfile"))
    defer { lock.end() }
    let error = bench.error { () throws(TesseraError) in
      _ = try CacheFile(path).write(bytes, replacing: nil, under: lock)
    }
    #expect(error?.code == .storeUnavailable)
    #expect(try bench.files() == ["cache.json.lockfile"])
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
