// SPDX-License-Identifier: MIT
// The pool behind the asynchronous forms: started by their first call, gone with the last handle.

import CTesseraSystem
import Synchronization
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A bounded pool of threads.
///
/// It has no thread before its first work, and after a while without any. Ending the last reference to it ends its
/// threads; work that was handed over before is still done.
package final class WorkerPool: Workers {
  private let size: Int
  private let idleNanoseconds: UInt64
  /// The threads' common state; it belongs to the process that made it.
  private let crew = Atomic<Unmanaged<ThreadPool>?>(nil)

  /// Whether the calling thread is one of a pool's, of whichever.
  package static var isOnItsThread: Bool { ctessera_thread_is_marked() }

  /// A pool of at most some threads, each of which ends after a while without work.
  package init(size: Int = 4, idleMilliseconds: UInt32 = 10_000) {
    self.size = max(size, 1)
    idleNanoseconds = UInt64(idleMilliseconds) &* 1_000_000
  }

  deinit {
    guard let crew = crew.load(ordering: .acquiring) else { return }
    // In a forked child the threads do not exist, and one of them may have held the lock.
    guard crew.takeUnretainedValue().process == getpid() else { return }
    crew.takeRetainedValue().stop()
  }

  /// Runs work on one of the pool's threads.
  package func run(
    inTurnOf name: String, _ work: @escaping @Sendable () -> Void,
    orElse refuse: @escaping @Sendable () -> Void
  ) {
    crewOfThisProcess().add(Job(name: name, work: work, refuse: refuse))
  }

  /// The crew of this process; after a fork the child starts with a new one.
  ///
  /// The parent's is left alone: its threads, its work and perhaps its lock stayed in the parent.
  private func crewOfThisProcess() -> ThreadPool {
    let known = crew.load(ordering: .acquiring)
    if let known = known?.takeUnretainedValue(), known.process == getpid() { return known }
    let new = Unmanaged.passRetained(
      ThreadPool(process: getpid(), size: size, idleNanoseconds: idleNanoseconds))
    let (exchanged, current) = crew.compareExchange(
      expected: known, desired: new, ordering: .acquiringAndReleasing)
    guard !exchanged, let current else { return new.takeUnretainedValue() }
    new.release()
    return current.takeUnretainedValue()
  }
}
