// SPDX-License-Identifier: MIT
// The job queue: ready jobs, and when a thread is needed.

import Testing

@testable import TesseraPlatform

@Suite struct JobQueueTests {
  private func queue(_ names: String...) -> JobQueue {
    var queue = JobQueue()
    for serialKey in names { queue.add(Job(serialKey: serialKey) {}) }
    return queue
  }

  /// Takes all ready jobs.
  private func names(_ queue: inout JobQueue) -> [String] {
    var names: [String] = []
    while let job = queue.take() { names.append(job.serialKey) }
    return names
  }

  @Test func `only the first job of each key is ready`() {
    var queue = queue("a", "a", "b")
    #expect(names(&queue) == ["a", "b"])
    queue.finish("b")
    #expect(names(&queue).isEmpty)
    queue.finish("a")
    #expect(names(&queue) == ["a"])
  }

  @Test func `a key is ready again after its job has finished`() {
    var queue = queue("a")
    _ = names(&queue)
    queue.finish("a")
    queue.add(Job(serialKey: "a") {})
    #expect(names(&queue) == ["a"])
  }

  @Test func `a thread is requested for a ready job only if no idle thread can take it`() {
    var queue = JobQueue()
    let calls = ["a", "a", "b", "c"].map { serialKey in
      queue.add(Job(serialKey: serialKey) {})
      return queue.mustStartThread(of: 2)
    }
    #expect(calls == [true, false, true, false])
  }
}
