// SPDX-License-Identifier: MIT
// The threads of one pool in one process.

import CTesseraSystem

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
