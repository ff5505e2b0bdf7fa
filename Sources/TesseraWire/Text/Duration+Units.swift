// SPDX-License-Identifier: MIT
// Durations as whole numbers of a unit.

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
