// SPDX-License-Identifier: MIT
// Tests of ISO 8601 dates, which are only valid with a time zone.

import TesseraWire
import Testing

@Suite struct ISODateTests {
  @Test(
    arguments: [
      ("2030-01-01T00:00:00Z", 1_893_456_000), ("2030-01-01T00:00:00.123456789Z", 1_893_456_000),
      ("2030-01-01t01:00:00+01:00", 1_893_456_000), ("2029-12-31 23:30:00-00:30", 1_893_456_000),
      ("2024-02-29T12:00:00z", 1_709_208_000), ("1970-01-01T00:00:00Z", 0),
      ("2030-01-01T00:00:00", nil), ("2030-01-01 00:00:00.123456", nil), ("2030-01-01", nil),
      ("2030-13-01T00:00:00Z", nil), ("2030-01-32T00:00:00Z", nil), ("2030-01-01T24:00:00Z", nil),
      ("2030-01-01T00:00:00.Zx", nil), ("2030-01-01T00:00:00+1:00", nil), ("", nil),
      ("2030-1-01T00:00:00ZZ", nil), ("2030-01-01T00:00:00é", nil), ("0000-01-01T00:00:00Z", nil),
    ] as [(String, Int64?)])
  func `a date is parsed only with a valid time zone`(_ text: String, _ seconds: Int64?) {
    #expect(ISODate.instant(text)?.secondsSince1970 == seconds)
  }
}
