// SPDX-License-Identifier: MIT
// Which state of the list of the accounts somebody has seen, so that only what changed is read again.

/// A state of the list of the accounts: a number for each range of people, which changes with their entries.
package struct ListState: Sendable, Hashable {
  /// How many ranges there are.
  package static let rangeCount = 2048
  /// Above so many ranges it is quicker to read the whole list.
  private static let most = 128

  /// The store itself; another one after it was deleted, replaced or restored.
  private let identity: UInt64
  private let ranges: [UInt64]

  /// A state with the numbers of all ranges.
  package init(identity: UInt64, ranges: [UInt64]) {
    self.identity = identity
    self.ranges = ranges
  }

  /// The ranges whose entries may have changed since an older state; nil if they are too many, or can't be told.
  package func changes(since older: ListState) -> [Int]? {
    guard older.identity == identity, older.ranges.count == ranges.count else { return nil }
    var changes: [Int] = []
    for (range, number) in ranges.enumerated() where older.ranges[range] != number {
      guard changes.count < ListState.most else { return nil }
      changes.append(range)
    }
    return changes
  }

  /// The range of a person.
  package static func range(of homeAccountID: String) -> Int {
    range(of: RecordKey.number(of: homeAccountID))
  }

  /// The range of a person's hash: its first bits, so that the hashes of a range lie side by side.
  package static func range(of hash: Int64) -> Int {
    Int(UInt64(bitPattern: hash) / (UInt64.max / UInt64(rangeCount) + 1))
  }

  /// The hashes of a range.
  package static func hashes(in range: Int) -> ClosedRange<Int64> {
    let size = Int64(1) << (64 - rangeCount.trailingZeroBitCount)
    let first = Int64(truncatingIfNeeded: range) &* size
    return first...(first &+ (size - 1))
  }
}
