// SPDX-License-Identifier: MIT
// Work where there are threads for it.

import Testing

@testable import TesseraPlatform

extension WorkerPool {
  /// Runs work that may not be refused.
  func run(inTurnOf name: String, _ work: @escaping @Sendable () -> Void) {
    run(inTurnOf: name, work) { Issue.record("there was no thread") }
  }
}

extension Job {
  init(name: String, work: @escaping @Sendable () -> Void) {
    self.init(name: name, work: work) { Issue.record("there was no thread") }
  }
}
