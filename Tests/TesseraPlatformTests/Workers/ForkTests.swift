// SPDX-License-Identifier: MIT
// The thread pool and the transport in a child of fork(), whatever the parent's threads were doing.

import Foundation
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite(
  .disabled(
    if: ProcessInfo.processInfo.environment["TESSERA_SANITIZER"] == "thread",
    "ThreadSanitizer lets no child of a program with threads start threads"))
struct ForkTests {
  /// Runs `body` in a forked child; true if it returned true within a minute.
  ///
  /// A child may inherit locks of the loader or the Swift runtime, held by threads of other tests. It can then block
  /// forever, so another child is tried.
  private func succeedsInChild(_ body: () -> Bool) throws -> Bool {
    let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    for _ in 0..<3 {
      let child = fork()
      if child == 0 { _exit(body() ? 0 : 1) }
      var status: Int32 = -1
      if eventually({ waitpid(child, &status, WNOHANG) == child }) { return status == 0 }
      kill(child, SIGKILL)
      waitpid(child, &status, 0)
    }
    return false
  }

  @Test func `a forked child starts its own threads`() throws {
    let semaphore = DispatchSemaphore(value: 0)
    let done = Recorder<Int>()
    let pool = WorkerPool(size: 1)
    pool.run(serialKey: "a") {
      done.add(0)
      semaphore.wait()
    }
    #expect(done.waitFor(1))
    #expect(
      try succeedsInChild {
        pool.run(serialKey: "a") { done.add(1) }
        return done.waitFor(2)
      })
    semaphore.signal()
    pool.run(serialKey: "a") { done.add(2) }
    #expect(done.waitFor(2))
    #expect(done.elements == [0, 2])
  }

  @Test func `a process with too many open files gets network_failed, not library_missing`() throws
  {
    let transport = CurlTransport(
      NetworkSettings(), time: SystemTime(), libraryNames: ["libcurl-absent.so.4"])
    func code() -> TesseraError.Code? {
      do throws(TesseraError) {
        _ = try transport.send(.get("http://127.0.0.1/"), within: .none)
        return nil
      } catch {
        guard error.remedy != .retryLater || error.message.contains("too many open files") else {
          return nil
        }
        return error.code
      }
    }
    #expect(code() == .libraryMissing)
    #expect(
      try succeedsInChild {
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        getrlimit(__rlimit_resource_t(7), &limit)
        limit.rlim_cur = 3
        guard setrlimit(__rlimit_resource_t(7), &limit) == 0 else { return false }
        return code() == .networkFailed
      })
  }

  @Test func `a forked child sends its own requests`() throws {
    let server = try LoopbackServer.responding("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let transport = CurlTransport()
    func sends() -> Bool {
      (try? transport.send(.get(server.url()), within: .none).status) == 200
    }
    #expect(sends())
    #expect(try succeedsInChild(sends))
    #expect(sends())
  }

  @Test func `a child that detaches from the change counters leaves its parent attached`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/words"
    let words = try ChangeCounters(path: path, identity: 7, repairs: true)
    #expect(
      try succeedsInChild {
        words.retire()
        return true
      })
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    #expect(FileLock.description.conflict(descriptor, ChangeCounterFile.memberLockOffset) != nil)
    withExtendedLifetime(words) {}
  }
}
