// SPDX-License-Identifier: MIT
// Waiting for a condition: it ends with the condition or with the time, also if each check takes long.

import TesseraEngine
import TesseraTesting
import Testing

@Suite struct PollTests {
  @Test func `a poll ends when the condition holds`() {
    let clock = VirtualClock()
    let start = clock.monotonicNanoseconds
    clock.poll(atMost: 1000) { clock.monotonicNanoseconds - start >= 20_000_000 }
    #expect(clock.monotonicNanoseconds - start == 20_000_000)
  }

  @Test func `slow checks do not extend a poll`() {
    let clock = VirtualClock()
    let start = clock.monotonicNanoseconds
    var checks = 0
    clock.poll(atMost: 1000) {
      checks += 1
      clock.advance(by: .milliseconds(250))
      return false
    }
    #expect(checks == 4 && clock.monotonicNanoseconds - start < 1_250_000_000)
  }
}
