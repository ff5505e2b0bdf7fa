// SPDX-License-Identifier: MIT
// The threads of one pool in one process.

import CTesseraSystem

/// Threads that come when there is work and leave when there is none.
final class ThreadPool: Sendable {
  /// What a thread does next.
  private enum Step {
    case work(Job)
    case leave
  }

  /// The process to which the threads belong.
  let process: Int32
  private let size: Int
  private let idleNanoseconds: UInt64
  private let rota = Monitor(JobQueue())

  init(process: Int32, size: Int, idleNanoseconds: UInt64) {
    self.process = process
    self.size = size
    self.idleNanoseconds = idleNanoseconds
  }

  /// Takes work; starts a thread for it if none is free.
  func add(_ job: Job) {
    let needsThread = rota.change { rota in
      rota.add(job)
      return rota.callsThread(of: size)
    }
    if needsThread { startThread() }
  }

  /// Ends the threads once the work is done.
  ///
  /// Waits for threads that have nothing to do, which is a matter of microseconds, and for no others: one of them may
  /// be the caller, or wait for something that the caller holds.
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
    // Without any thread the work would never be done, and the caller is not to wait for it.
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
    // A thread that somebody else has started takes what is left.
    while let job = rota.change({ $0.threads == 0 ? $0.take() : nil }) { end(job, isRefused: true) }
  }

  private func nextStep() -> Step {
    let step: Step? = rota.wait(nanoseconds: idleNanoseconds) { rota in
      if let job = rota.take() { return .work(job) }
      guard rota.isClosing else { return nil }
      rota.threads -= 1
      return .leave
    }
    // Work may have come between the end of the wait and now.
    return step
      ?? rota.change { rota in
        if let job = rota.take() { return .work(job) }
        rota.threads -= 1
        return .leave
      }
  }

  /// Does or refuses the work and lets go of all that it held before the next of its name may begin.
  private func end(_ job: consuming Job, isRefused: Bool) {
    let name = job.name
    if isRefused { job.refuse() } else { job.work() }
    _ = consume job
    rota.change { $0.finish(name) }
  }
}
