// SPDX-License-Identifier: MIT
// A point in wall-clock time in whole seconds, as every token time on the wire is.

/// A point in time in whole seconds since 1970-01-01 00:00 UTC.
public struct Instant: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01 00:00 UTC.
  public let secondsSince1970: Int64

  /// A point in time, given in seconds since 1970-01-01 00:00 UTC.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Before every other one.
  package static let distantPast = Instant(secondsSince1970: .min)
  /// After every other one.
  package static let distantFuture = Instant(secondsSince1970: .max)

  /// Whether one point in time lies before another.
  public static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.secondsSince1970 < later.secondsSince1970
  }

  /// The point in time some seconds later (earlier when negative); it stops at the end of time instead of overflowing.
  public func adding(seconds: Int64) -> Instant {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    guard overflow else { return Instant(secondsSince1970: sum) }
    return Instant(secondsSince1970: seconds < 0 ? .min : .max)
  }

  /// The seconds from another point in time to this one; negative when the other lies later.
  public func seconds(since other: Instant) -> Int64 {
    let (difference, overflow) = secondsSince1970.subtractingReportingOverflow(
      other.secondsSince1970)
    guard overflow else { return difference }
    return self < other ? .min : .max
  }
}
