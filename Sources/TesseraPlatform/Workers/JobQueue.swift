// SPDX-License-Identifier: MIT
// The scheduling of a thread pool, as a value: jobs with the same name run one after the other.

/// A job.
///
/// Jobs with the same name run serially, in the order in which they were added.
struct Job: Sendable {
  let serialKey: String
  let work: @Sendable () -> Void
  /// Called instead of `work` if no thread can be started.
  let refuse: @Sendable () -> Void
}

/// The queue of a pool, and the counts of its threads.
struct JobQueue: Sendable {
  /// The number of running threads.
  var threads = 0
  /// The number of threads that are executing a job.
  private(set) var busy = 0
  /// Whether threads end as soon as the queue is empty.
  var isClosing = false

  /// The jobs that can be started, in order of arrival.
  private var ready: [Job] = []
  /// The jobs that wait for another job of their name, by name.
  ///
  /// A name has an entry while one of its jobs is ready or running.
  private var waiting: [String: [Job]] = [:]

  /// Adds a job.
  ///
  /// It is ready unless another job of its name is ready or running.
  mutating func add(_ job: Job) {
    if waiting[job.serialKey] == nil {
      waiting[job.serialKey] = []
      ready.append(job)
    } else {
      waiting[job.serialKey]?.append(job)
    }
  }

  /// Whether another thread must be started, up to the size of the pool.
  ///
  /// Counts the thread if so.
  mutating func mustStartThread(of size: Int) -> Bool {
    guard ready.count > threads - busy, threads < size else { return false }
    threads += 1
    return true
  }

  /// Removes the next ready job for a thread, which is busy until ``finish(_:)``; nil if there is none.
  mutating func take() -> Job? {
    guard !ready.isEmpty else { return nil }
    busy += 1
    return ready.removeFirst()
  }

  /// Ends a job and makes the next one of its name ready.
  mutating func finish(_ serialKey: String) {
    busy -= 1
    guard var others = waiting.removeValue(forKey: serialKey), !others.isEmpty else { return }
    ready.append(others.removeFirst())
    waiting[serialKey] = others
  }
}
