// SPDX-License-Identifier: MIT
// Wall-clock times in whole seconds, the resolution of all token times in the protocols.

/// A point in time in whole seconds since 1970-01-01 00:00 UTC.
public struct Instant: Sendable, Hashable, Comparable {
  /// The seconds since 1970-01-01 00:00 UTC.
  public let secondsSince1970: Int64

  /// Creates a point in time from seconds since 1970-01-01 00:00 UTC.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The earliest representable point in time.
  package static let distantPast = Instant(secondsSince1970: .min)
  /// The latest representable point in time.
  package static let distantFuture = Instant(secondsSince1970: .max)

  /// Whether one point in time is before another.
  public static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.secondsSince1970 < later.secondsSince1970
  }

  /// Returns the point in time some seconds later, or earlier for a negative value.
  ///
  /// Saturates instead of overflowing.
  public func adding(seconds: Int64) -> Instant {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    guard overflow else { return Instant(secondsSince1970: sum) }
    return Instant(secondsSince1970: seconds < 0 ? .min : .max)
  }

  /// Returns the seconds from another point in time to this one; negative if the other is later.
  ///
  /// Saturates on overflow.
  public func seconds(since other: Instant) -> Int64 {
    let (difference, overflow) = secondsSince1970.subtractingReportingOverflow(
      other.secondsSince1970)
    guard overflow else { return difference }
    return self < other ? .min : .max
  }
}
