// SPDX-License-Identifier: MIT
// Mapping of D-Bus failures: temporary ones can be retried and are not configuration errors.

import CLibrary
import TesseraEngine
import TesseraPlatform
import Testing

@testable import TesseraBroker

@Suite struct BrokerFailureTests {
  @Test(
    arguments: [
      (ENOENT, BrokerProblem.noSessionBus), (ECONNREFUSED, .noSessionBus), (EPERM, .noSessionBus),
      (EINVAL, .noSessionBus), (EPIPE, .ended), (EAGAIN, .timeout), (ETIMEDOUT, .timeout),
    ] as [(Int32, BrokerProblem)])
  func `a failure to connect to the bus has a problem code and a reason`(
    _ code: Int32, _ expected: BrokerProblem
  ) {
    guard case .skipped(let problem, let reason) = BrokerFailure(BusFailure.unreachable(code))
    else {
      Issue.record("\(code) says nothing about the broker.")
      return
    }
    #expect(problem == expected)
    #expect(!reason.isEmpty)
  }

  @Test(arguments: [EMFILE, ENFILE])
  func `too many open files are a retryable error, not a problem of the bus`(_ code: Int32) {
    guard case .ended(let error) = BrokerFailure(BusFailure.unreachable(code)) else {
      Issue.record("\(code) is taken for a fault of the bus.")
      return
    }
    #expect(error.isRetryable)
  }
}
