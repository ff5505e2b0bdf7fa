// SPDX-License-Identifier: MIT
// A parser for ISO 8601 dates with a time zone (RFC 3339).

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
