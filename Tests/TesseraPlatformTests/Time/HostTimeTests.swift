// SPDX-License-Identifier: MIT
// The clock of a host application.

import Foundation
import Synchronization
import Tessera
import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct HostTimeTests {
  /// A clock that advances only when a test sets it.
  private final class StoppedClock: HostClock {
    private let nanoseconds = Atomic<UInt64>(1)

    var secondsSince1970: Int64 { 1_800_000_000 + Int64(monotonicNanoseconds / 1_000_000_000) }
    var monotonicNanoseconds: UInt64 { nanoseconds.load(ordering: .acquiring) }

    func advance(seconds: UInt64) {
      nanoseconds.wrappingAdd(seconds * 1_000_000_000, ordering: .releasing)
    }
  }

  @Test func `the time is that of the host`() {
    let clock = StoppedClock()
    clock.advance(seconds: 60)
    let time = HostTime(clock)
    #expect(time.now.secondsSince1970 == 1_800_000_060)
    #expect(time.monotonicNanoseconds == 60_000_000_001)
    #expect(time.bootTime == nil)
  }

  @Test func `a wait ends when the host's clock has reached its end`() {
    let clock = StoppedClock()
    let time = HostTime(clock)
    let hasEnded = Atomic(false)
    Thread.detachNewThread {
      usleep(20_000)
      clock.advance(seconds: 59)
      usleep(20_000)
      let ended = hasEnded.load(ordering: .acquiring)
      #expect(!ended)
      clock.advance(seconds: 1)
    }
    #expect(throws: Never.self) { try time.wait(nanoseconds: 60_000_000_000, within: .none) }
    hasEnded.store(true, ordering: .releasing)
    #expect(time.monotonicNanoseconds == 60_000_000_001)
  }

  @Test func `a wait ends at a deadline of the host's clock`() {
    let clock = StoppedClock()
    let time = HostTime(clock)
    let limits = CallLimits(timeoutMilliseconds: 5_000, time: time)
    clock.advance(seconds: 6)
    let error = timed { try time.wait(nanoseconds: 60_000_000_000, within: limits) }.error
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func `a wait on a stopped clock ends when the time has really passed`() {
    #expect(throws: Never.self) {
      try HostTime(StoppedClock()).wait(nanoseconds: 20_000_000, within: .none)
    }
  }

  @Test func `a wait on a stopped clock ends by cancellation`() {
    let cancellation = Cancellation()
    let limits = CallLimits(cancellation: cancellation, time: HostTime(StoppedClock()))
    Thread.detachNewThread {
      usleep(20_000)
      cancellation.cancel()
    }
    let error = timed {
      try HostTime(StoppedClock()).wait(nanoseconds: 60_000_000_000, within: limits)
    }.error
    #expect(error?.code == .cancelled)
  }

  @Test func `an application uses the clock of its configuration`() throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .memory
    configuration.host.clock = StoppedClock()
    let application = try PublicClientApplication(configuration)
    #expect(application.dependencies.time.now.secondsSince1970 == 1_800_000_000)
    configuration.host.clock = nil
    let real = try PublicClientApplication(configuration)
    #expect(real.dependencies.time.monotonicNanoseconds > 0)
    #expect(real.dependencies.time is SystemTime)
  }
}
