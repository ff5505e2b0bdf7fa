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
  private let rota = Monitor(JobQueue())

  init(process: Int32, size: Int, idleNanoseconds: UInt64) {
    self.process = process
    self.size = size
    self.idleNanoseconds = idleNanoseconds
  }

  /// Adds a job, and starts a thread for it if none is idle.
  func add(_ job: Job) {
    let needsThread = rota.change { rota in
      rota.add(job)
      return rota.callsThread(of: size)
    }
    if needsThread { startThread() }
  }

  /// Ends the threads once all jobs are done.
  ///
  /// Waits for idle threads only, which takes microseconds. A busy thread may be the caller, or wait for something that the
  /// caller holds.
  func stop() {
    rota.change { $0.isClosing = true }
    _ = rota.wait(nanoseconds: 100_000_000) { $0.threads <= $0.busy ? true : nil }
  }

  private func startThread() {
    let problem = ctessera_thread_start(
      { context in
        guard let context else { return nil }
        Unmanaged<ThreadPool>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard problem != 0 else { return }
    Unmanaged.passUnretained(self).release()
    // Without any thread the jobs would never run. Refuse them, so that no caller waits forever.
    let isAlone = rota.change { rota in
      rota.threads -= 1
      return rota.threads == 0
    }
    if isAlone { refuseAll() }
  }

  private func serve() {
    ctessera_thread_mark()
    while case .work(let job) = nextStep() { end(job, isRefused: false) }
  }

  private func refuseAll() {
    // If another caller has started a thread meanwhile, that thread runs the remaining jobs.
    while let job = rota.change({ $0.threads == 0 ? $0.take() : nil }) { end(job, isRefused: true) }
  }

  private func nextStep() -> Step {
    let step: Step? = rota.wait(nanoseconds: idleNanoseconds) { rota in
      if let job = rota.take() { return .work(job) }
      guard rota.isClosing else { return nil }
      rota.threads -= 1
      return .leave
    }
    // A job may have been added since the wait timed out.
    return step
      ?? rota.change { rota in
        if let job = rota.take() { return .work(job) }
        rota.threads -= 1
        return .leave
      }
  }

  /// Runs or refuses a job.
  ///
  /// Releases everything that the job holds before the next job of its name can start.
  private func end(_ job: consuming Job, isRefused: Bool) {
    let name = job.name
    if isRefused { job.refuse() } else { job.work() }
    _ = consume job
    rota.change { $0.finish(name) }
  }
}
