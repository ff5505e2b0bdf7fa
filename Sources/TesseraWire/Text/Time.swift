// SPDX-License-Identifier: MIT
// Points in time, durations, and the formats of dates.

/// The current time on both clocks of this machine.
package struct Clocks: Sendable, Hashable {
  /// The wall-clock time.
  package let now: Instant
  /// The boot-time clock; nil if its readings are not comparable between processes.
  package let bootTime: BootTime?

  package init(now: Instant, bootTime: BootTime? = nil) {
    self.now = now
    self.bootTime = bootTime
  }
}

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

/// A reading of the boot-time clock, with the ID of the boot.
package struct BootTime: Sendable, Hashable {
  private let boot: String
  private let nanoseconds: UInt64

  /// Creates a reading.
  ///
  /// - Parameter boot: The boot ID, which is unique for each boot of each machine. It must not contain a colon.
  package init(boot: String, nanoseconds: UInt64) {
    self.boot = boot
    self.nanoseconds = nanoseconds
  }

  /// Parses the format of ``text``; nil if it is invalid.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let nanoseconds = UInt64(parts[1]) else { return nil }
    self.init(boot: String(parts[0]), nanoseconds: nanoseconds)
  }

  /// The boot ID and the nanoseconds, separated by a colon.
  package var text: String { "\(boot):\(nanoseconds)" }

  /// Returns the whole seconds since an earlier reading; nil if that one is later, or from another boot.
  package func seconds(since other: BootTime) -> Int64? {
    guard boot == other.boot, nanoseconds >= other.nanoseconds else { return nil }
    return Int64(clamping: (nanoseconds - other.nanoseconds) / 1_000_000_000)
  }

  /// Whether this reading is later than another one; false if they are from different boots.
  package func isAfter(_ other: BootTime) -> Bool {
    boot == other.boot && nanoseconds > other.nanoseconds
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded up.
  ///
  /// A duration of more than 292 years, positive or negative, is returned as 292 years.
  package var wholeNanoseconds: Int64 { count(of: .nanoseconds(1)) }
  /// The duration in milliseconds, rounded up.
  ///
  /// A duration of more than 292 years, positive or negative, is returned as 292 years.
  package var wholeMilliseconds: Int64 { count(of: .milliseconds(1)) }
  /// The duration in seconds, rounded up.
  ///
  /// A duration of more than 292 years, positive or negative, is returned as 292 years.
  package var wholeSeconds: Int64 { count(of: .seconds(1)) }

  /// The longest duration with a number of nanoseconds in 64 bits.
  private static let longest = Duration.nanoseconds(Int64.max)

  private func count(of unit: Duration) -> Int64 {
    let clamped = min(max(self, .zero - .longest), .longest)
    let (seconds, attoseconds) = clamped.components
    let size = unit.components
    guard size.attoseconds > 0 else { return seconds + (attoseconds > 0 ? 1 : 0) }
    let unitsPerSecond = 1_000_000_000_000_000_000 / size.attoseconds
    let rest = attoseconds / size.attoseconds + (attoseconds % size.attoseconds > 0 ? 1 : 0)
    return seconds * unitsPerSecond + rest
  }
}

/// A parser for HTTP dates (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses a date; nil if it is invalid or before 1970.
  ///
  /// The formats are `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6
  /// 08:49:37 1994`.
  package static func instant(_ text: String) -> Instant? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().split { " ,-".contains($0) }.map(String.init)
    guard words.count == 5 || words.count == 6 && words.last == "gmt" else { return nil }
    let isOld = words.count == 5
    guard let day = number(words[isOld ? 2 : 1], upTo: 31),
      let month = months.firstIndex(of: words[isOld ? 1 : 2]),
      let year = year(words[isOld ? 4 : 3]), let time = seconds(words[isOld ? 3 : 4]), day > 0
    else { return nil }
    return Instant(
      secondsSince1970: days(year: year, month: Int64(month) + 1, day: day) * 86_400 + time)
  }

  static func number(_ text: some StringProtocol, upTo limit: Int64) -> Int64? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text), number <= limit
    else { return nil }
    return number
  }

  /// Parses a year; nil if it is before 1970.
  ///
  /// Two digits are a year from 1970 to 2069.
  private static func year(_ text: String) -> Int64? {
    guard let number = number(text, upTo: 9999) else { return nil }
    let year = text.utf8.count > 2 ? number : number + (number < 70 ? 2000 : 1900)
    return year >= 1970 ? year : nil
  }

  static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], upTo: 23),
      let minute = number(parts[1], upTo: 59), let second = number(parts[2], upTo: 60)
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Returns the days since 1970-01-01.
  ///
  /// The computation uses years that start in March, so that the leap day is the last day.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return shifted * 365 + leapDays + dayOfYear - 719_468
  }
}

/// A parser for dates such as `2030-01-01T00:00:00.123Z`.
package enum ISODate {
  /// Parses a date; nil if it is invalid or has no time zone.
  ///
  /// The time zone is `Z` or an offset such as `+01:00`. A fraction of a second is truncated.
  package static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard (20...64).contains(bytes.count), [0x54, 0x74, 0x20].contains(bytes[10]),
      bytes.allSatisfy({ $0 < 0x80 }), let day = day(bytes[..<10]),
      let time = HTTPDate.seconds(String(decoding: bytes[11..<19], as: UTF8.self)),
      let zone = zone(bytes[19...])
    else { return nil }
    return Instant(secondsSince1970: day * 86_400 + time - zone)
  }

  private static func day(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let parts = bytes.split(separator: 0x2D, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      let year = HTTPDate.number(parts[0], upTo: 9999), year > 0,
      let month = HTTPDate.number(parts[1], upTo: 12), month > 0,
      let day = HTTPDate.number(parts[2], upTo: 31), day > 0
    else { return nil }
    return HTTPDate.days(year: year, month: month, day: day)
  }

  /// Returns the offset of the time zone in seconds, after an optional fraction; nil if it is invalid.
  private static func zone(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var rest = bytes
    if rest.first == 0x2E {
      rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
    }
    guard let sign = rest.first else { return nil }
    if sign == 0x5A || sign == 0x7A { return rest.count == 1 ? 0 : nil }
    let offset = String(decoding: rest.dropFirst(), as: UTF8.self)
    guard sign == 0x2B || sign == 0x2D, offset.utf8.count == 5,
      let seconds = HTTPDate.seconds(offset + ":00")
    else { return nil }
    return sign == 0x2B ? seconds : -seconds
  }
}
