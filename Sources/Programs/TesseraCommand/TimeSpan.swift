// SPDX-License-Identifier: MIT
// Durations on the command line, such as 90, 5m or 1h.

import ArgumentParser

/// A duration in whole seconds.
struct TimeSpan {
  /// The number of seconds.
  let seconds: Int64

  /// The same as a duration.
  var duration: Duration { .seconds(seconds) }

  /// Creates a duration from a number of seconds, minutes (m) or hours (h).
  ///
  /// - Throws: An error that states the form, for another text.
  init(text: String) throws {
    let factors: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    let factor = text.last.flatMap { factors[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(digits)
    else { throw TimeSpan.invalid }
    let (seconds, isTooLong) = number.multipliedReportingOverflow(by: factor ?? 1)
    guard !isTooLong, seconds <= 31_536_000 else { throw TimeSpan.invalid }
    self.seconds = seconds
  }

  private static var invalid: ValidationError {
    ValidationError("must be a time of at most a year, such as 90, 5m or 1h.")
  }
}
