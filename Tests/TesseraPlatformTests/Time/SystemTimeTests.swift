// SPDX-License-Identifier: MIT
// The system's clocks, cancellable waits, and random bytes.

import Foundation
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct SystemTimeTests {
  private let time = SystemTime()

  @Test func `the wall clock equals the system's time`() {
    #expect(abs(time.now.secondsSince1970 - Int64(Date().timeIntervalSince1970)) <= 1)
  }

  @Test func `a wait takes the requested time`() {
    let (milliseconds, error) = timed { try time.wait(nanoseconds: 50_000_000, within: .none) }
    #expect(error == nil)
    #expect(milliseconds >= 50)
  }

  @Test func `a wait ends at the deadline`() {
    let limits = CallLimits(timeoutMilliseconds: 50, time: time)
    let (milliseconds, error) = timed { try time.wait(nanoseconds: .max, within: limits) }
    #expect(error?.code == .deadlineExceeded)
    #expect(milliseconds >= 50)
  }

  @Test func `a wait ends on cancellation`() {
    let cancellation = Cancellation()
    let limits = CallLimits(cancellation: cancellation, time: time)
    Thread.detachNewThread {
      usleep(50_000)
      cancellation.cancel()
    }
    let error = timed { try time.wait(nanoseconds: .max, within: limits) }.error
    #expect(error?.code == .cancelled)
  }

  @Test func `a wait that is already cancelled does not start`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let limits = CallLimits(cancellation: cancellation, time: time)
    #expect(timed { try time.wait(nanoseconds: 0, within: limits) }.error?.code == .cancelled)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 32])
  func `the requested number of random bytes is returned`(count: Int) {
    #expect(SystemRandomness().bytes(count).count == count)
  }

  @Test func `random bytes differ from call to call`() {
    #expect(SystemRandomness().bytes(32) != SystemRandomness().bytes(32))
    #expect(SystemRandomness().bytes(-1).isEmpty)
  }
}
