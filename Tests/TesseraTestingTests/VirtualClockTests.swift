// SPDX-License-Identifier: MIT
// The virtual clock, which advances without waiting.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct VirtualClockTests {
  let clock = VirtualClock()

  @Test func `waiting advances both clocks`() throws {
    let (wall, monotonic) = (clock.now, clock.monotonicNanoseconds)
    try clock.wait(nanoseconds: 2_500_000_000, within: .none)
    #expect(clock.now.seconds(since: wall) == 2)
    #expect(clock.monotonicNanoseconds - monotonic == 2_500_000_000)
  }

  @Test func `a wait ends at the deadline`() {
    let limits = CallLimits(timeoutMilliseconds: 1500, time: clock)
    let start = clock.monotonicNanoseconds
    let error = #expect(throws: TesseraError.self) {
      try clock.wait(nanoseconds: 9_000_000_000, within: limits)
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(clock.monotonicNanoseconds - start == 1_500_000_000)
  }

  @Test func `a cancelled call does not wait`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let start = clock.monotonicNanoseconds
    let error = #expect(throws: TesseraError.self) {
      try clock.wait(
        nanoseconds: 1, within: CallLimits(cancellation: cancellation, time: clock))
    }
    #expect(error?.code == .cancelled)
    #expect(clock.monotonicNanoseconds == start)
  }

  @Test func `a scheduled cancellation ends the wait at its time`() {
    let cancellation = Cancellation()
    let start = clock.now
    clock.schedule(after: .seconds(3)) { cancellation.cancel() }
    let error = #expect(throws: TesseraError.self) {
      try clock.wait(
        nanoseconds: 60_000_000_000, within: CallLimits(cancellation: cancellation, time: clock))
    }
    #expect(error?.code == .cancelled)
    #expect(clock.now.seconds(since: start) == 3)
  }

  @Test func `scheduled actions run in order and at their times`() {
    let start = clock.now
    let times = Collected<Int64>()
    for seconds in [5, 1, 3, 1] as [Int64] {
      clock.schedule(after: .seconds(seconds)) { [clock] in
        times.append(clock.now.seconds(since: start))
      }
    }
    clock.advance(seconds: 4)
    #expect(times.values == [1, 1, 3])
    clock.advance(seconds: 1)
    #expect(times.values == [1, 1, 3, 5])
  }

  @Test func `the wall clock can be shifted`() {
    let (wall, monotonic) = (clock.now, clock.monotonicNanoseconds)
    clock.shiftWallClock(seconds: -86_400)
    #expect(clock.now.seconds(since: wall) == -86_400)
    #expect(clock.monotonicNanoseconds == monotonic)
  }

  @Test func `adding to the maximum time does not overflow`() throws {
    clock.advance(seconds: .max)
    clock.shiftWallClock(seconds: .max)
    try clock.wait(nanoseconds: .max, within: .none)
    #expect(clock.monotonicNanoseconds == .max)
  }
}
