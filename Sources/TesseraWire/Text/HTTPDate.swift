// SPDX-License-Identifier: MIT
// A parser for the three date formats of HTTP header fields.

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
