// SPDX-License-Identifier: MIT
// The thread pool: its size, its order, its signal masks and its end.

import Foundation
import Synchronization
import Testing

@testable import TesseraPlatform

@Suite struct WorkerPoolTests {
  private func isAlive(_ thread: String) -> Bool {
    FileManager.default.fileExists(atPath: "/proc/" + thread)
  }

  @Test func `a job runs on another thread`() {
    let threads = Recorder<String>()
    let pool = WorkerPool()
    pool.run(serialKey: "a") { threads.add(currentThread()) }
    #expect(threads.waitFor(1))
    #expect(threads.elements.first != currentThread())
  }

  @Test func `a pool thread is recognized as such`() {
    let marks = Recorder<Bool>()
    let pool = WorkerPool()
    pool.run(serialKey: "a") { marks.add(WorkerPool.isOnPoolThread) }
    #expect(marks.waitFor(1))
    #expect(marks.elements == [true])
    #expect(!WorkerPool.isOnPoolThread)
  }

  @Test func `jobs with the same key run one after another, in order`() {
    let done = Recorder<Int>()
    let running = Atomic(0)
    let pool = WorkerPool()
    for number in 0..<50 {
      pool.run(serialKey: "a") {
        #expect(running.add(1, ordering: .relaxed).newValue == 1)
        done.add(number)
        running.subtract(1, ordering: .relaxed)
      }
    }
    #expect(done.waitFor(50))
    #expect(done.elements == Array(0..<50))
  }

  @Test func `a job that waits for its key occupies no thread`() {
    let done = Recorder<String>()
    let semaphore = DispatchSemaphore(value: 0)
    let pool = WorkerPool(size: 2)
    for _ in 0..<10 {
      pool.run(serialKey: "a") {
        semaphore.wait()
        done.add("a")
      }
    }
    pool.run(serialKey: "b") { done.add("b") }
    #expect(done.waitFor(1))
    #expect(done.elements == ["b"])
    for _ in 0..<10 { semaphore.signal() }
    #expect(done.waitFor(11))
  }

  @Test func `at most as many threads run as the pool allows, and no fewer if there are jobs`() {
    let threads = Recorder<String>()
    let semaphore = DispatchSemaphore(value: 0)
    let pool = WorkerPool(size: 3)
    for number in 0..<9 {
      pool.run(serialKey: "\(number)") {
        threads.add(currentThread())
        semaphore.wait()
      }
    }
    #expect(threads.waitFor(3))
    usleep(20_000)
    #expect(threads.elements.count == 3)
    for _ in 0..<9 { semaphore.signal() }
    #expect(threads.waitFor(9))
    #expect(Set(threads.elements).count == 3)
  }

  @Test func `an idle thread ends, and the next job gets a new thread`() {
    let threads = Recorder<String>()
    let pool = WorkerPool(idleMilliseconds: 10)
    pool.run(serialKey: "a") { threads.add(currentThread()) }
    #expect(threads.waitFor(1))
    #expect(eventually { threads.elements.first.map { !isAlive($0) } ?? false })
    pool.run(serialKey: "a") { threads.add(currentThread()) }
    #expect(threads.waitFor(2))
  }

  @Test func `the threads end with the last reference to the pool`() {
    let threads = Recorder<String>()
    do {
      let pool = WorkerPool()
      pool.run(serialKey: "a") { threads.add(currentThread()) }
      #expect(threads.waitFor(1))
    }
    #expect(eventually { threads.elements.first.map { !isAlive($0) } ?? false })
  }

  @Test func `a job may hold the last reference to the pool`() {
    let done = Recorder<Int>()
    let semaphore = DispatchSemaphore(value: 0)
    do {
      let pool = WorkerPool()
      pool.run(serialKey: "a") {
        semaphore.wait()
        withExtendedLifetime(pool) { done.add(1) }
      }
      pool.run(serialKey: "a") { done.add(2) }
    }
    semaphore.signal()
    #expect(done.waitFor(2))
  }

  @Test func `workers block signals of the process but not those of a crash`() {
    let blocked = Recorder<[Bool]>()
    let pool = WorkerPool()
    pool.run(serialKey: "a") {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      blocked.add([SIGTERM, SIGUSR1, SIGPIPE, SIGSEGV].map { sigismember(&mask, $0) == 1 })
    }
    #expect(blocked.waitFor(1))
    #expect(blocked.elements.first == [true, true, true, false])
  }
}

/// Returns the kernel's name of the calling thread, such as `12/task/34`.
private func currentThread() -> String {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
}
