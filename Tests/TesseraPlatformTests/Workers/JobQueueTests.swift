// SPDX-License-Identifier: MIT
// Turns as a value: what is ready, and when a thread is called.

import Testing

@testable import TesseraPlatform

@Suite struct JobQueueTests {
  private func rota(_ names: String...) -> JobQueue {
    var rota = JobQueue()
    for name in names { rota.add(Job(name: name) {}) }
    return rota
  }

  /// Takes all that is ready.
  private func names(_ rota: inout JobQueue) -> [String] {
    var names: [String] = []
    while let job = rota.take() { names.append(job.name) }
    return names
  }

  @Test func `only the first of a name is ready`() {
    var rota = rota("a", "a", "b")
    #expect(names(&rota) == ["a", "b"])
    rota.finish("b")
    #expect(names(&rota).isEmpty)
    rota.finish("a")
    #expect(names(&rota) == ["a"])
  }

  @Test func `a name that has finished may begin again`() {
    var rota = rota("a")
    _ = names(&rota)
    rota.finish("a")
    rota.add(Job(name: "a") {})
    #expect(names(&rota) == ["a"])
  }

  @Test func `a thread is called for ready work that no free thread will take`() {
    var rota = JobQueue()
    let calls = ["a", "a", "b", "c"].map { name in
      rota.add(Job(name: name) {})
      return rota.callsThread(of: 2)
    }
    #expect(calls == [true, false, true, false])
  }
}
