// SPDX-License-Identifier: MIT
// The threads of non-blocking calls.

import CLibrary
import CTesseraSystem
import Synchronization
import TesseraEngine

/// A bounded thread pool.
///
/// It starts threads on demand and ends idle ones after a timeout. Releasing the last reference ends the threads after the jobs
/// that were already added.
package final class WorkerPool: Workers {
  private let size: Int
  private let idleNanoseconds: UInt64
  /// The threads, which belong to the process that created them.
  private let threads = Atomic<Unmanaged<ThreadPool>?>(nil)

  /// Whether the calling thread belongs to any pool.
  package static var isOnPoolThread: Bool { ctessera_thread_is_marked() }

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - size: The maximum number of threads.
  ///   - idleMilliseconds: The time after which an idle thread ends.
  package init(size: Int = 4, idleMilliseconds: UInt32 = 10_000) {
    self.size = max(size, 1)
    idleNanoseconds = UInt64(idleMilliseconds) &* 1_000_000
  }

  deinit {
    guard let threads = threads.load(ordering: .acquiring) else { return }
    // In a child of fork() the threads do not exist, and one of them may have held the lock at the time of the fork.
    guard threads.takeUnretainedValue().process == getpid() else { return }
    threads.takeRetainedValue().stop()
  }

  /// Runs a job on one of the pool's threads.
  package func run(
    serialKey: String, _ work: @escaping @Sendable () -> Void,
    orElse refuse: @escaping @Sendable () -> Void
  ) {
    threadsOfThisProcess().add(Job(serialKey: serialKey, work: work, refuse: refuse))
  }

  /// Returns the threads of this process.
  ///
  /// A child of fork() creates its own.
  ///
  /// The parent's object is not used: its threads and jobs exist only in the parent, and its lock may have been held.
  private func threadsOfThisProcess() -> ThreadPool {
    let known = threads.load(ordering: .acquiring)
    if let known = known?.takeUnretainedValue(), known.process == getpid() { return known }
    let new = Unmanaged.passRetained(
      ThreadPool(process: getpid(), size: size, idleNanoseconds: idleNanoseconds))
    let (exchanged, current) = threads.compareExchange(
      expected: known, desired: new, ordering: .acquiringAndReleasing)
    guard !exchanged, let current else { return new.takeUnretainedValue() }
    new.release()
    return current.takeUnretainedValue()
  }
}

/// Worker threads that are started on demand and end when idle.
final class ThreadPool: Sendable {
  /// The next step of a thread.
  private enum Step {
    case work(Job)
    case leave
  }

  /// The ID of the process to which the threads belong.
  let process: Int32
  private let size: Int
  private let idleNanoseconds: UInt64
  private let queue = Monitor(JobQueue())

  init(process: Int32, size: Int, idleNanoseconds: UInt64) {
    self.process = process
    self.size = size
    self.idleNanoseconds = idleNanoseconds
  }

  /// Adds a job, and starts a thread for it if none is idle.
  func add(_ job: Job) {
    let needsThread = queue.change { queue in
      queue.add(job)
      return queue.mustStartThread(of: size)
    }
    if needsThread { startThread() }
  }

  /// Ends the threads once all jobs are done.
  ///
  /// Waits for idle threads only, which takes microseconds. A busy thread may be the caller, or wait for something that the
  /// caller holds.
  func stop() {
    queue.change { $0.isClosing = true }
    _ = queue.wait(nanoseconds: 100_000_000) { $0.threads <= $0.busy ? true : nil }
  }

  private func startThread() {
    let problem = ctessera_thread_start(
      { context in
        guard let context else { return nil }
        Unmanaged<ThreadPool>.fromOpaque(context).takeRetainedValue().runJobs()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard problem != 0 else { return }
    Unmanaged.passUnretained(self).release()
    // Without any thread the jobs would never run. Refuse them, so that no caller waits forever.
    let isAlone = queue.change { queue in
      queue.threads -= 1
      return queue.threads == 0
    }
    if isAlone { refuseAll() }
  }

  private func runJobs() {
    ctessera_thread_mark()
    while case .work(let job) = nextStep() { end(job, isRefused: false) }
  }

  private func refuseAll() {
    // If another caller has started a thread meanwhile, that thread runs the remaining jobs.
    while let job = queue.change({ $0.threads == 0 ? $0.take() : nil }) {
      end(job, isRefused: true)
    }
  }

  private func nextStep() -> Step {
    let step: Step? = queue.wait(nanoseconds: idleNanoseconds) { queue in
      if let job = queue.take() { return .work(job) }
      guard queue.isClosing else { return nil }
      queue.threads -= 1
      return .leave
    }
    // A job may have been added since the wait timed out.
    return step
      ?? queue.change { queue in
        if let job = queue.take() { return .work(job) }
        queue.threads -= 1
        return .leave
      }
  }

  /// Runs or refuses a job.
  ///
  /// Releases everything that the job holds before the next job of its name can start.
  private func end(_ job: consuming Job, isRefused: Bool) {
    let serialKey = job.serialKey
    if isRefused { job.refuse() } else { job.work() }
    _ = consume job
    queue.change { $0.finish(serialKey) }
  }
}

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
