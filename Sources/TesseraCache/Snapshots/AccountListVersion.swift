// SPDX-License-Identifier: MIT
// The version of the account list, used to read only the accounts that have changed.

/// A version of the account list, with one change counter for each range of account hashes.
package struct AccountListVersion: Sendable, Hashable {
  /// The number of ranges.
  package static let rangeCount = 2048
  /// The maximum number of changed ranges to read separately.
  ///
  /// Beyond that, reading the whole list is faster.
  private static let maximumChangeCount = 128

  /// The identity of the store, which changes if the store is deleted, replaced or restored.
  private let identity: UInt64
  private let ranges: [UInt64]

  /// Creates a version from the change counters of all ranges.
  package init(identity: UInt64, ranges: [UInt64]) {
    self.identity = identity
    self.ranges = ranges
  }

  /// Returns the ranges that may have changed since an older version.
  ///
  /// - Returns: The ranges, or `nil` if there are too many or if the versions belong to different stores.
  package func changes(since older: AccountListVersion) -> [Int]? {
    guard older.identity == identity, older.ranges.count == ranges.count else { return nil }
    var changes: [Int] = []
    for (range, number) in ranges.enumerated() where older.ranges[range] != number {
      guard changes.count < AccountListVersion.maximumChangeCount else { return nil }
      changes.append(range)
    }
    return changes
  }

  /// Returns the range of an account.
  package static func range(of homeAccountID: String) -> Int {
    range(of: RecordKey.number(of: homeAccountID))
  }

  /// Returns the range of an account hash: its leading bits, so that the hashes of a range are contiguous.
  package static func range(of hash: Int64) -> Int {
    Int(UInt64(bitPattern: hash) / (UInt64.max / UInt64(rangeCount) + 1))
  }

  /// Returns the hashes in a range.
  package static func hashes(in range: Int) -> ClosedRange<Int64> {
    let size = Int64(1) << (64 - rangeCount.trailingZeroBitCount)
    let first = Int64(truncatingIfNeeded: range) &* size
    return first...(first &+ (size - 1))
  }
}
