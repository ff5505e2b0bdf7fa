// SPDX-License-Identifier: MIT
// The list of the accounts, with what it takes to give it again or to bring it up to date.

package import TesseraCache

/// The accounts that an application can use, with the state of the store they were read from.
package final class AccountsAnswer: Sendable {
  /// The answer, in the order of ``AccountList``.
  package let accounts: [Account]
  /// The state of the store; nil for an answer that must not be given again.
  package let version: StoreVersion?
  /// The state of the list, range by range; nil for one that can't be brought up to date.
  package let list: ListState?
  /// The range of each account.
  private let ranges: [UInt16]

  /// The accounts of a snapshot; of one that shows only what has changed, together with those known before.
  package init(_ found: [Account], _ snapshot: CacheSnapshot, after known: AccountsAnswer?) {
    version = snapshot.version
    list = snapshot.list
    let foundRanges =
      list == nil
      ? [] : found.map { UInt16(truncatingIfNeeded: ListState.range(of: $0.homeAccountID)) }
    guard let changed = snapshot.ranges, let known, known.ranges.count == known.accounts.count
    else {
      (accounts, ranges) = (found, foundRanges)
      return
    }
    var merge = AccountMerge(known.accounts, known.ranges, without: changed)
    for (account, range) in zip(found, foundRanges) { merge.insert(account, range) }
    merge.keep(until: known.accounts.count)
    (accounts, ranges) = (merge.merged, merge.ranges)
  }
}

/// A sorted list with some ranges of people taken out, and others put in their place, in one go.
private struct AccountMerge {
  private let accounts: [Account]
  private let oldRanges: [UInt16]
  private let isRemoved: [Bool]
  /// How many of the old ones are done.
  private var done = 0
  private(set) var merged: [Account] = []
  private(set) var ranges: [UInt16] = []

  init(_ accounts: [Account], _ ranges: [UInt16], without changed: [Int]) {
    self.accounts = accounts
    oldRanges = ranges
    var isRemoved = [Bool](repeating: false, count: ListState.rangeCount)
    for range in changed where isRemoved.indices.contains(range) { isRemoved[range] = true }
    self.isRemoved = isRemoved
    merged.reserveCapacity(accounts.count + 16)
    self.ranges.reserveCapacity(accounts.count + 16)
  }

  /// Puts an account where it belongs; they come in order.
  mutating func insert(_ account: Account, _ range: UInt16) {
    keep(until: place(of: account))
    merged.append(account)
    ranges.append(range)
  }

  /// The first of the old ones that comes after an account.
  private func place(of account: Account) -> Int {
    var (low, high) = (done, accounts.count)
    while low < high {
      let middle = (low + high) / 2
      if AccountList.precedes(accounts[middle], account) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Keeps the old ones up to a place, but for those that are removed.
  mutating func keep(until end: Int) {
    var start = done
    for index in done..<end where isRemoved[Int(oldRanges[index])] {
      take(start..<index)
      start = index + 1
    }
    take(start..<end)
    done = end
  }

  private mutating func take(_ some: Range<Int>) {
    merged.append(contentsOf: accounts[some])
    ranges.append(contentsOf: oldRanges[some])
  }
}
