// SPDX-License-Identifier: MIT
// The thread pool for asynchronous calls: started by the first one, ended with the last handle.

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
