// SPDX-License-Identifier: MIT
// The Date header field of the provider's responses.

import TesseraWire

extension HTTPHeader {
  /// Returns the time of a response (RFC 9110 section 6.6.1).
  ///
  /// Clients correct their clock with it.
  static func date(_ now: Instant) -> HTTPHeader {
    let seconds = max(now.secondsSince1970, 0)
    let (days, time) = (seconds / 86_400, seconds % 86_400)
    let (year, month, day) = civilDate(days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(days % 7)]
    let parts = [time / 3600, time / 60 % 60, time % 60].map(twoDigits)
    return HTTPHeader(
      "Date",
      "\(weekday), \(twoDigits(day)) \(months[Int(month) - 1]) \(year) \(parts.joined(separator: ":")) GMT"
    )
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Converts days since 1970-01-01 to a date, with years that begin in March so that the leap day comes last.
  private static func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let index = (5 * dayOfYear + 2) / 153
    let month = index < 10 ? index + 3 : index - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1
    )
  }
}
