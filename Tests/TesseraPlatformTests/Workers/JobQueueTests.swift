// SPDX-License-Identifier: MIT
// The job queue: ready jobs, and when a thread is needed.

import Testing

@testable import TesseraPlatform

@Suite struct JobQueueTests {
  private func rota(_ names: String...) -> JobQueue {
    var rota = JobQueue()
    for serialKey in names { rota.add(Job(serialKey: serialKey) {}) }
    return rota
  }

  /// Takes all ready jobs.
  private func names(_ rota: inout JobQueue) -> [String] {
    var names: [String] = []
    while let job = rota.take() { names.append(job.serialKey) }
    return names
  }

  @Test func `only the first job of each key is ready`() {
    var rota = rota("a", "a", "b")
    #expect(names(&rota) == ["a", "b"])
    rota.finish("b")
    #expect(names(&rota).isEmpty)
    rota.finish("a")
    #expect(names(&rota) == ["a"])
  }

  @Test func `a key is ready again after its job has finished`() {
    var rota = rota("a")
    _ = names(&rota)
    rota.finish("a")
    rota.add(Job(serialKey: "a") {})
    #expect(names(&rota) == ["a"])
  }

  @Test func `a thread is requested for a ready job only if no idle thread can take it`() {
    var rota = JobQueue()
    let calls = ["a", "a", "b", "c"].map { serialKey in
      rota.add(Job(serialKey: serialKey) {})
      return rota.mustStartThread(of: 2)
    }
    #expect(calls == [true, false, true, false])
  }
}
