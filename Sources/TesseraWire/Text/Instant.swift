// SPDX-License-Identifier: MIT
// Wall-clock times in whole seconds, the resolution of all token times in the protocols.

/// A point in time in whole seconds since 1970-01-01 00:00 UTC.
package struct Instant: Sendable, Hashable, Comparable {
  /// The seconds since 1970-01-01 00:00 UTC.
  package let secondsSince1970: Int64

  /// Creates a point in time from seconds since 1970-01-01 00:00 UTC.
  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The earliest representable point in time.
  package static let distantPast = Instant(secondsSince1970: .min)
  /// The latest representable point in time.
  package static let distantFuture = Instant(secondsSince1970: .max)

  /// Whether one point in time is before another.
  package static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.secondsSince1970 < later.secondsSince1970
  }

  /// Returns the point in time some seconds later, or earlier for a negative value.
  ///
  /// Saturates instead of overflowing.
  package func adding(seconds: Int64) -> Instant {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    guard overflow else { return Instant(secondsSince1970: sum) }
    return Instant(secondsSince1970: seconds < 0 ? .min : .max)
  }

  /// Returns the seconds from another point in time to this one; negative if the other is later.
  ///
  /// Saturates on overflow.
  package func seconds(since other: Instant) -> Int64 {
    let (difference, overflow) = secondsSince1970.subtractingReportingOverflow(
      other.secondsSince1970)
    guard overflow else { return difference }
    return self < other ? .min : .max
  }
}

extension Instant: CustomStringConvertible {
  /// The time in UTC, as in ISO 8601: `2027-01-01T00:00:00Z`.
  package var description: String {
    let (days, second) = secondsSince1970.quotientAndFloorRemainder(dividingBy: 86_400)
    let (year, month, day) = Instant.date(days)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { Instant.padded($0) }
    return "\(Instant.padded(year, 4))-\(Instant.padded(month))-\(Instant.padded(day))"
      + "T\(time.joined(separator: ":"))Z"
  }

  /// Returns the date that is some days after 1970-01-01, in the proleptic Gregorian calendar.
  ///
  /// The computation starts years in March, so that the leap day is their last day.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 719,468 days are from 0000-03-01 to 1970-01-01; 146,097 days are 400 years.
    let (era, dayOfEra) = (days + 719_468).quotientAndFloorRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ number: Int64, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}

extension Int64 {
  /// Divides, rounding down; the remainder is not negative.
  fileprivate func quotientAndFloorRemainder(
    dividingBy divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
