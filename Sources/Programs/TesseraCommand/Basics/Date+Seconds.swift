// SPDX-License-Identifier: MIT
// Times in seconds.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The time in seconds since 1970, at most the end of the year 9999.
  ///
  /// A provider may send any lifetime, and the formats of times have four digits for the year.
  var secondsSince1970: Int64 {
    Int64(min(max(timeIntervalSince1970.rounded(.down), 0), 253_402_300_799))
  }
}
