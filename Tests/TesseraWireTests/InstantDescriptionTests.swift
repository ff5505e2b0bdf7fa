// SPDX-License-Identifier: MIT
// The text of times, and durations in whole units.

import TesseraWire
import Testing

@Suite struct InstantDescriptionTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_798_761_599, "2026-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func `a time is described in UTC`(_ seconds: Int64, _ text: String) {
    #expect("\(Instant(secondsSince1970: seconds))" == text)
  }

  @Test func `the most distant times have a description`() {
    #expect("\(Instant.distantFuture)".hasSuffix("Z"))
    #expect("\(Instant.distantPast)".hasSuffix("Z"))
  }

  @Test func `durations are rounded up to whole units`() {
    let duration = Duration.nanoseconds(1_000_000_001)
    #expect(duration.wholeSeconds == 2)
    #expect(duration.wholeMilliseconds == 1_001)
    #expect(duration.wholeNanoseconds == 1_000_000_001)
    #expect((Duration.zero - duration).wholeSeconds == -1)
    #expect((Duration.zero - duration).wholeMilliseconds == -1_000)
    #expect(Duration.zero.wholeSeconds == 0)
  }

  @Test func `long durations are limited to 292 years`() {
    let longest = Duration.seconds(Int64.max)
    #expect(longest.wholeNanoseconds == .max)
    #expect(longest.wholeMilliseconds == Int64.max / 1_000_000 + 1)
    #expect((Duration.zero - longest - longest).wholeNanoseconds == -.max)
  }
}
