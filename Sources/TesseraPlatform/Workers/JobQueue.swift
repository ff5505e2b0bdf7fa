// SPDX-License-Identifier: MIT
// Whose turn it is: the order in which a pool does its work, as a value.

/// Work, and the name of those with whom it takes turns.
struct Job: Sendable {
  let name: String
  let work: @Sendable () -> Void
  /// What happens where no thread can do it.
  let refuse: @Sendable () -> Void
}

/// The work of a pool, and how many threads it has for it.
struct JobQueue: Sendable {
  /// Threads that were started and have not left.
  var threads = 0
  /// Threads that work.
  private(set) var busy = 0
  /// Whether threads leave as soon as there is no work.
  var isClosing = false

  /// Work that a thread may begin, oldest first.
  private var ready: [Job] = []
  /// Work that waits for its turn, by name; a name is here while work of that name is ready or under way.
  private var waiting: [String: [Job]] = [:]

  /// Takes in work; it is ready unless other work of its name comes first.
  mutating func add(_ job: Job) {
    if waiting[job.name] == nil {
      waiting[job.name] = []
      ready.append(job)
    } else {
      waiting[job.name]?.append(job)
    }
  }

  /// Whether a thread has to be started, which then counts as one; a pool has at most some.
  mutating func callsThread(of size: Int) -> Bool {
    guard ready.count > threads - busy, threads < size else { return false }
    threads += 1
    return true
  }

  /// Hands out work to a thread, which is busy until it is finished.
  mutating func take() -> Job? {
    guard !ready.isEmpty else { return nil }
    busy += 1
    return ready.removeFirst()
  }

  /// Ends a turn: the next of the same name is ready.
  mutating func finish(_ name: String) {
    busy -= 1
    guard var others = waiting.removeValue(forKey: name), !others.isEmpty else { return }
    ready.append(others.removeFirst())
    waiting[name] = others
  }
}
