// SPDX-License-Identifier: MIT
// Jobs that fail the test if they are rejected.

import Testing

@testable import TesseraPlatform

extension WorkerPool {
  /// Runs a job, and fails the test if it is rejected.
  func run(serialKey name: String, _ work: @escaping @Sendable () -> Void) {
    run(serialKey: name, work) { Issue.record("there was no thread") }
  }
}

extension Job {
  init(serialKey: String, work: @escaping @Sendable () -> Void) {
    self.init(serialKey: serialKey, work: work) { Issue.record("there was no thread") }
  }
}
